package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.Table;
import com.google.api.services.bigquery.model.TableConstraints;
import com.google.api.services.bigquery.model.TableFieldSchema;
import com.google.api.services.bigquery.model.TableReference;
import com.google.api.services.bigquery.model.TableRow;
import com.google.api.services.bigquery.model.TableSchema;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.beam.sdk.io.gcp.testing.FakeBigQueryServices;
import org.apache.beam.sdk.io.gcp.testing.FakeDatasetService;
import org.apache.beam.sdk.io.gcp.testing.FakeJobService;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/** Beam's own stand-in for BigQuery, with a dataset and new names of tables for each test. */
final class FakeBigQuery {
  private static final String PROJECT = "test-project";
  private static final String DATASET = "metrics";
  private static final AtomicInteger TESTS = new AtomicInteger();

  static {
    FakeDatasetService.setUp(); // once: Beam also remembers which streams it has opened
  }

  private final FakeDatasetService datasets = new LowerCase();
  private final int test = TESTS.incrementAndGet(); // Beam remembers which tables it has made
  private int updates;

  /**
   * BigQuery does not tell names apart by their case, and Beam writes them in lower case; its
   * stand-in must be told.
   */
  private static final class LowerCase extends FakeDatasetService {
    @Override
    public void createTable(Table table) throws IOException {
      if (table.getTableConstraints() != null) { // else nothing looks for columns by name
        TableConstraints.PrimaryKey key = table.getTableConstraints().getPrimaryKey();
        key.setColumns(key.getColumns().stream().map(LowerCase::toLowerCase).toList());
        table.getSchema().getFields().forEach(LowerCase::toLowerCase);
      }
      super.createTable(table);
    }

    @Override
    public void close() {} // as it does there, where it may throw anything

    private static void toLowerCase(TableFieldSchema field) {
      field.setName(toLowerCase(field.getName()));
      if (field.getFields() != null) {
        field.getFields().forEach(LowerCase::toLowerCase);
      }
    }

    private static String toLowerCase(String name) {
      return name.toLowerCase(Locale.ROOT);
    }
  }

  FakeBigQuery() {
    try {
      datasets.createDataset(PROJECT, DATASET, "", "", null);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("the dataset is in memory", e);
    }
  }

  FakeBigQueryServices services() {
    return new FakeBigQueryServices()
        .withDatasetService(datasets)
        .withJobService(new FakeJobService());
  }

  /** The full name of a table of this test. */
  String table(String name) {
    return PROJECT + ":" + DATASET + "." + id(name);
  }

  TableReference reference(String name) {
    return new TableReference().setProjectId(PROJECT).setDatasetId(DATASET).setTableId(id(name));
  }

  private String id(String name) {
    return name + test;
  }

  BigQuerySinkOptions options() {
    BigQuerySinkOptions options = PipelineOptionsFactory.as(BigQuerySinkOptions.class);
    options.setOutputTable(table("results"));
    options.setLatestTable(table("latest"));
    return options;
  }

  BigQueryDestination destination(Policy... policies) throws UsageException {
    return destination(options(), policies);
  }

  BigQueryDestination destination(BigQuerySinkOptions options, Policy... policies)
      throws UsageException {
    TableUpdate update =
        (table, schema) -> {
          updates++;
          datasets.updateTableSchema(table, schema);
        };
    return BigQueryDestination.of(options, List.of(policies), services(), update).orElseThrow();
  }

  /** How often columns have been added. */
  int updates() {
    return updates;
  }

  void create(String name, List<TableFieldSchema> columns) throws IOException {
    datasets.createTable(
        new Table()
            .setTableReference(reference(name))
            .setSchema(new TableSchema().setFields(columns)));
  }

  /** From now on these rows are refused. */
  <P extends Predicate<TableRow> & Serializable> void refuse(P rows) {
    datasets.setShouldFailRow((Function<TableRow, Boolean> & Serializable) rows::test);
  }

  Table describe(String name) throws IOException, InterruptedException {
    return Objects.requireNonNull(datasets.getTable(reference(name)));
  }

  List<TableRow> rows(String name) throws IOException, InterruptedException {
    return datasets.getAllRows(PROJECT, DATASET, id(name));
  }

  /** None where nothing has been written. */
  List<String> linesIfAny(String name) throws IOException, InterruptedException {
    return datasets.getTable(reference(name)) == null ? List.of() : lines(name);
  }

  List<String> lines(String name) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    for (TableRow row : rows(name)) {
      lines.add(String.valueOf(row.get("line")));
    }
    return lines;
  }
}
