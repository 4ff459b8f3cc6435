package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.TableRow;
import dev.tidemark.gcp.TableRows.DoesNotFitException;
import dev.tidemark.pipelines.Refused;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.NewestResults;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryIO;
import org.apache.beam.sdk.io.gcp.bigquery.RowMutation;
import org.apache.beam.sdk.io.gcp.bigquery.RowMutationInformation;
import org.apache.beam.sdk.io.gcp.bigquery.RowMutationInformation.MutationType;
import org.apache.beam.sdk.io.gcp.bigquery.WriteResult;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.joda.time.Instant;

/**
 * Keeps the newest result of each key and window in a table, by BigQuery's change data capture.
 *
 * <p>BigQuery itself keeps of each primary key the change with the highest sequence number, and
 * remembers those of deleted rows; see <a
 * href="https://cloud.google.com/bigquery/docs/change-data-capture">its documentation</a>. So this
 * step keeps no state: an older result that comes later, or comes again, changes nothing. A
 * sequence number is the start of the run, so that a run which begins anew replaces what an earlier
 * one wrote, and then the {@linkplain NewestResults#rank rank} of the result.
 */
final class UpsertLatest extends PTransform<PCollection<WindowResult>, Refused> {
  private static final TupleTag<RowMutation> CHANGES = new TupleTag<>("changes") {};

  private final Policy policy;
  private final String place;
  private final BigQueryIO.Write<RowMutation> write;
  private final Instant started;

  private UpsertLatest(
      Policy policy, String place, BigQueryIO.Write<RowMutation> write, Instant started) {
    this.policy = policy;
    this.place = place;
    this.write = write;
    this.started = started;
  }

  /**
   * Keeps the newest results of a policy whose panes replace each other.
   *
   * @param place the table as people find it
   * @param write to the table, by Beam
   * @param started when the run began, to the second
   */
  static UpsertLatest of(
      Policy policy, String place, BigQueryIO.Write<RowMutation> write, Instant started) {
    return new UpsertLatest(policy, place, write, started);
  }

  @Override
  public Refused expand(PCollection<WindowResult> results) {
    PCollectionTuple changes =
        results
            .apply("Outlive windows", RefusedRows.windowing())
            .apply(
                "To changes",
                ParDo.of(new ToChangesFn(policy, started))
                    .withOutputTags(CHANGES, TupleTagList.of(RefusedRows.UNMADE)));
    WriteResult written =
        changes
            .get(CHANGES)
            .setCoder(RowMutation.RowMutationCoder.of())
            .apply(
                "Upsert",
                write
                    .withFormatFunction(RowMutation::getTableRow)
                    .withFormatRecordOnFailureFunction(UpsertLatest::lineOnly)
                    .withRowMutationInformationFn(RowMutation::getMutationInformation)
                    .withPrimaryKey(ResultTable.PRIMARY_KEY)
                    .withMethod(BigQueryIO.Write.Method.STORAGE_API_AT_LEAST_ONCE)
                    .withWriteDisposition(BigQueryIO.Write.WriteDisposition.WRITE_APPEND));
    return RefusedRows.of(policy, place).of(changes, written);
  }

  /**
   * Beam (2.73) cannot read a refused change back from what it sent, and drops it with an error in
   * the log. So it carries this along.
   */
  private static TableRow lineOnly(RowMutation change) {
    return new TableRow().set(ResultTable.LINE, change.getTableRow().get(ResultTable.LINE));
  }

  static final class ToChangesFn extends DoFn<WindowResult, RowMutation> {
    private static final long LAST_RANK = 0xFFFF_FFFFL;

    private final Policy policy;
    private final Instant started;

    ToChangesFn(Policy policy, Instant started) {
      this.policy = policy;
      this.started = started;
    }

    @ProcessElement
    public void process(@Element WindowResult result, MultiOutputReceiver out) {
      for (ResultWindow session : result.supersedes()) {
        // For good: a session that is part of another never fires again.
        out.get(CHANGES)
            .output(
                change(
                    TableRows.superseded(policy, session, result), MutationType.DELETE, LAST_RANK));
      }
      try {
        out.get(CHANGES)
            .output(
                change(
                    TableRows.of(policy, result),
                    result.kind() == ResultKind.RETRACTION
                        ? MutationType.DELETE
                        : MutationType.UPSERT,
                    NewestResults.rank(result)));
      } catch (DoesNotFitException e) {
        out.get(RefusedRows.UNMADE)
            .output(RefusedRows.unmade(ResultJson.line(policy, result), e.getMessage()));
      }
    }

    private RowMutation change(TableRow row, MutationType type, long rank) {
      return RowMutation.of(row, RowMutationInformation.of(type, sequence(rank)));
    }

    /** 16 hexadecimal digits, which is what one section of a sequence number holds. */
    private String sequence(long rank) {
      return "%08x%08x".formatted(started.getMillis() / 1_000, Math.min(rank, LAST_RANK));
    }
  }
}
