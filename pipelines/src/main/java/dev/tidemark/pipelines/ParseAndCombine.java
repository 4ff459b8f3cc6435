package dev.tidemark.pipelines;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterCoder;
import dev.tidemark.dlq.ParseCounters;
import dev.tidemark.dlq.ParseEvents;
import dev.tidemark.dlq.RecordParser;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.BundleCombiner;
import dev.tidemark.transforms.CombiningFn;
import dev.tidemark.transforms.EventBundles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;
import org.jspecify.annotations.Nullable;

/**
 * {@link ParseEvents} and a {@link BundleCombiner} in one step, since a step of two outputs is dear
 * for each element: a runner may write them all down, as Flink does of bounded ones, to read them
 * again for each output. Here most events leave by none. Records come in batches, since runners pay
 * for each element, whatever it is.
 */
final class ParseAndCombine
    extends PTransform<PCollection<List<RawRecord>>, ParseAndCombine.Output> {
  private final Policy policy;
  private final @Nullable WallClock clock;

  private ParseAndCombine(Policy policy, @Nullable WallClock clock) {
    this.policy = policy;
    this.clock = clock;
  }

  /**
   * For a policy.
   *
   * @param clock one that the watermark of unbounded records cannot pass; null if there is none
   */
  static ParseAndCombine of(Policy policy, @Nullable WallClock clock) {
    return new ParseAndCombine(policy, clock);
  }

  @Override
  public Output expand(PCollection<List<RawRecord>> records) {
    BundleCombiner combiner = BundleCombiner.of(policy, records.isBounded(), clock);
    PCollectionTuple parted =
        EventBundles.inGlobalWindow(records)
            .apply(
                "Parse each record",
                ParDo.of(new ParseFn(policy, combiner))
                    .withOutputTags(
                        EventBundles.COMBINED,
                        EventBundles.othersThanCombined(records.isBounded())
                            .and(Output.DEAD_LETTERS)));
    return new Output(
        EventBundles.of(parted, policy),
        parted.get(Output.DEAD_LETTERS).setCoder(DeadLetterCoder.of()));
  }

  /**
   * Events and dead letters: each record ends in one of the two. Dead letters have the time of
   * their batch, which is for nobody to window by.
   */
  record Output(EventBundles events, PCollection<DeadLetter> deadLetters) implements POutput {
    private static final TupleTag<DeadLetter> DEAD_LETTERS = new TupleTag<>("deadLetters") {};

    @Override
    public Pipeline getPipeline() {
      return deadLetters.getPipeline();
    }

    @Override
    public Map<TupleTag<?>, PValue> expand() {
      Map<TupleTag<?>, PValue> outputs = new HashMap<>(events.expand());
      outputs.put(DEAD_LETTERS, deadLetters);
      return outputs;
    }

    @Override
    public void finishSpecifyingOutput(
        String transformName, PInput input, PTransform<?, ?> transform) {}
  }

  static final class ParseFn extends CombiningFn<List<RawRecord>> {
    private final ParseCounters counters = new ParseCounters();
    private final Policy policy;
    private transient RecordParser parser;

    ParseFn(Policy policy, BundleCombiner combiner) {
      super(combiner);
      this.policy = policy;
    }

    @Setup
    public void setUp() {
      parser = RecordParser.of(policy);
    }

    @ProcessElement
    public void parse(@Element List<RawRecord> batch, MultiOutputReceiver out) {
      long events = 0;
      for (RawRecord raw : batch) {
        RecordParser.Outcome outcome = parser.parse(raw);
        if (outcome instanceof RecordParser.Parsed parsed) {
          events++;
          combine(parsed.event(), out);
        } else if (outcome instanceof RecordParser.Rejected rejected) {
          counters.countDeadLetter(rejected.deadLetter());
          out.get(Output.DEAD_LETTERS).output(rejected.deadLetter());
        }
      }
      counters.countEvents(events); // at once, since finding a counter costs as much as a field
    }
  }
}
