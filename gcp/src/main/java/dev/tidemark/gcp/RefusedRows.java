package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.TableRow;
import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterCoder;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.pipelines.Refused;
import dev.tidemark.policy.Policy;
import java.nio.charset.StandardCharsets;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryStorageApiInsertError;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryStorageApiInsertErrorCoder;
import org.apache.beam.sdk.io.gcp.bigquery.WriteResult;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Duration;

/**
 * Makes dead letters, {@link Reason#NOT_WRITTEN}, of the rows that a table did not take. Their raw
 * bytes are the result line.
 *
 * <p>Counts under the namespace {@code tidemark}: {@code notWritten}. It is no count of records.
 */
final class RefusedRows
    extends PTransform<PCollectionList<BigQueryStorageApiInsertError>, Refused> {
  /** Of the rows that cannot be made; see {@link #unmade}. */
  static final TupleTag<BigQueryStorageApiInsertError> UNMADE = new TupleTag<>("unmade") {};

  private final Policy policy;
  private final String place;

  private RefusedRows(Policy policy, String place) {
    this.policy = policy;
    this.place = place;
  }

  /**
   * For the results of one policy.
   *
   * @param place the table as people find it
   */
  static RefusedRows of(Policy policy, String place) {
    return new RefusedRows(policy, place);
  }

  /**
   * Takes what was refused on the way to a table, before and by it.
   *
   * @param made what rows were made of, with {@link #UNMADE} among its outputs
   * @param written what became of those that were made
   */
  Refused of(PCollectionTuple made, WriteResult written) {
    return PCollectionList.of(made.get(UNMADE).setCoder(BigQueryStorageApiInsertErrorCoder.of()))
        .and(written.getFailedStorageApiInserts())
        .apply("Refused", this);
  }

  /** A row that is not even tried, since it cannot be made. */
  static BigQueryStorageApiInsertError unmade(String line, String message) {
    return new BigQueryStorageApiInsertError(new TableRow().set(ResultTable.LINE, line), message);
  }

  /**
   * The windowing of dead letters: what is refused of a collection that has it, goes among them.
   */
  static <T> Window<T> windowing() {
    return Window.<T>into(new GlobalWindows())
        .triggering(DefaultTrigger.of())
        .withAllowedLateness(Duration.ZERO)
        .discardingFiredPanes();
  }

  @Override
  public Refused expand(PCollectionList<BigQueryStorageApiInsertError> refused) {
    return new Refused(
        refused
            .apply("All", Flatten.pCollections())
            .apply("To dead letters", ParDo.of(new ToDeadLetterFn(policy, place)))
            .setCoder(DeadLetterCoder.of()));
  }

  static final class ToDeadLetterFn extends DoFn<BigQueryStorageApiInsertError, DeadLetter> {
    private final String metric;
    private final String policyVersion;
    private final String place;
    private final Counter notWritten = Metrics.counter("tidemark", "notWritten");

    ToDeadLetterFn(Policy policy, String place) {
      this.metric = policy.metric();
      this.policyVersion = policy.version();
      this.place = place;
    }

    @ProcessElement
    public void process(
        @Element BigQueryStorageApiInsertError refused, OutputReceiver<DeadLetter> out) {
      notWritten.inc();
      String line = String.valueOf(refused.getRow().get(ResultTable.LINE));
      out.output(
          new DeadLetter(
              Reason.NOT_WRITTEN,
              place + " refused the result: " + refused.getErrorMessage(),
              null,
              new RawRecord(
                  line.getBytes(StandardCharsets.UTF_8),
                  new Origin.Attempt("write to " + place),
                  WallClock.SYSTEM.now()),
              metric,
              policyVersion,
              1));
    }
  }
}
