package dev.tidemark.pipelines.reconcile;

import dev.tidemark.event.RawRecord;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.reconcile.ResultLine;
import dev.tidemark.transforms.reconcile.ResultLineCoder;
import dev.tidemark.transforms.reconcile.UnusableTrailException;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Sample;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * The results of one policy from the lines of a trail, which may have those of other metrics too.
 * The pipeline fails with an {@link UnusableTrailException} at a line that is no result or that
 * another version of the policy made, and if all lines are of other metrics.
 */
final class ReadResults extends PTransform<PCollection<RawRecord>, ReadResults.Output> {
  private static final TupleTag<ResultLine> RESULTS = new TupleTag<>("results") {};
  private static final TupleTag<String> OTHER_METRICS = new TupleTag<>("otherMetrics") {};
  private static final TupleTag<Void> CHECKED = new TupleTag<>("checked") {};

  private final Policy policy;

  private ReadResults(Policy policy) {
    this.policy = policy;
  }

  static ReadResults of(Policy policy) {
    return new ReadResults(policy);
  }

  @Override
  public Output expand(PCollection<RawRecord> lines) {
    PCollectionTuple read =
        lines.apply(
            "Read each line",
            ParDo.of(new ReadFn(policy)).withOutputTags(RESULTS, TupleTagList.of(OTHER_METRICS)));
    PCollection<ResultLine> results = read.get(RESULTS).setCoder(ResultLineCoder.of());
    PCollectionView<Long> count =
        results.apply(
            "Count results", Combine.globally(Count.<ResultLine>combineFn()).asSingletonView());
    PCollection<Void> checked =
        read.get(OTHER_METRICS)
            .setCoder(StringUtf8Coder.of())
            .apply("One other metric", Sample.any(1))
            .apply("Check metric", ParDo.of(new CheckFn(policy, count)).withSideInputs(count))
            .setCoder(VoidCoder.of());
    return new Output(results, checked);
  }

  static final class ReadFn extends DoFn<RawRecord, ResultLine> {
    private final Policy policy;

    ReadFn(Policy policy) {
      this.policy = policy;
    }

    @ProcessElement
    public void process(@Element RawRecord record, MultiOutputReceiver out) {
      ResultLine line = LineText.read(record, this::read);
      if (line.metric().equals(policy.metric())) {
        out.get(RESULTS).output(line);
      } else {
        out.get(OTHER_METRICS).output(line.metric());
      }
    }

    private ResultLine read(String text) {
      ResultLine line = ResultLine.parse(text);
      if (line.metric().equals(policy.metric())) {
        line.checkMadeBy(policy);
      }
      return line;
    }
  }

  static final class CheckFn extends DoFn<String, Void> {
    private final String metric;
    private final PCollectionView<Long> count;

    CheckFn(Policy policy, PCollectionView<Long> count) {
      this.metric = policy.metric();
      this.count = count;
    }

    @ProcessElement
    public void process(@Element String otherMetric, ProcessContext context) {
      if (context.sideInput(count) == 0) {
        throw new UnusableTrailException(
            "--results: none is of the policy's metric " + metric + ", but some of " + otherMetric);
      }
    }
  }

  /**
   * The results, and a signal.
   *
   * @param results of the policy
   * @param checked empty; complete once all lines have been checked
   */
  record Output(PCollection<ResultLine> results, PCollection<Void> checked) implements POutput {
    @Override
    public Pipeline getPipeline() {
      return results.getPipeline();
    }

    @Override
    public Map<TupleTag<?>, PValue> expand() {
      return Map.of(RESULTS, results, CHECKED, checked);
    }

    @Override
    public void finishSpecifyingOutput(
        String transformName, PInput input, PTransform<?, ?> transform) {}
  }
}
