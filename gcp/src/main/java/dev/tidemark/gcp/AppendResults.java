package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.TableRow;
import dev.tidemark.gcp.TableRows.DoesNotFitException;
import dev.tidemark.pipelines.Refused;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.WindowResult;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryIO;
import org.apache.beam.sdk.io.gcp.bigquery.TableRowJsonCoder;
import org.apache.beam.sdk.io.gcp.bigquery.WriteResult;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * Appends every result to a table, at least once: what is tried again has the same {@code
 * resultId}. Beam's exactly-once sink needs a runner that keeps its input stable, a shuffle and a
 * wait before each write, and readers can tell a result that stands twice.
 */
final class AppendResults extends PTransform<PCollection<WindowResult>, Refused> {
  private static final TupleTag<TableRow> ROWS = new TupleTag<>("rows") {};

  private final Policy policy;
  private final String place;
  private final BigQueryIO.Write<TableRow> write;

  private AppendResults(Policy policy, String place, BigQueryIO.Write<TableRow> write) {
    this.policy = policy;
    this.place = place;
    this.write = write;
  }

  /**
   * Appends the results of a policy.
   *
   * @param place the table as people find it
   * @param write to the table, by Beam
   */
  static AppendResults of(Policy policy, String place, BigQueryIO.Write<TableRow> write) {
    return new AppendResults(policy, place, write);
  }

  @Override
  public Refused expand(PCollection<WindowResult> results) {
    PCollectionTuple rows =
        results
            .apply("Outlive windows", RefusedRows.windowing())
            .apply(
                "To rows",
                ParDo.of(new ToRowFn(policy))
                    .withOutputTags(ROWS, TupleTagList.of(RefusedRows.UNMADE)));
    WriteResult written =
        rows.get(ROWS)
            .setCoder(TableRowJsonCoder.of())
            .apply(
                "Append",
                write
                    .withFormatFunction(row -> row)
                    .withMethod(BigQueryIO.Write.Method.STORAGE_API_AT_LEAST_ONCE)
                    .withWriteDisposition(BigQueryIO.Write.WriteDisposition.WRITE_APPEND));
    return RefusedRows.of(policy, place).of(rows, written);
  }

  static final class ToRowFn extends DoFn<WindowResult, TableRow> {
    private final Policy policy;

    ToRowFn(Policy policy) {
      this.policy = policy;
    }

    @ProcessElement
    public void process(@Element WindowResult result, MultiOutputReceiver out) {
      try {
        out.get(ROWS).output(TableRows.of(policy, result));
      } catch (DoesNotFitException e) {
        out.get(RefusedRows.UNMADE)
            .output(RefusedRows.unmade(ResultJson.line(policy, result), e.getMessage()));
      }
    }
  }
}
