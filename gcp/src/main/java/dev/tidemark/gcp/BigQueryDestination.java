package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.Table;
import com.google.api.services.bigquery.model.TableFieldSchema;
import com.google.api.services.bigquery.model.TableReference;
import com.google.api.services.bigquery.model.TableSchema;
import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.Outlet;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryHelpers;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryIO;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryOptions;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryServices;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryServices.DatasetService;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryServicesImpl;
import org.apache.beam.sdk.io.gcp.bigquery.RowMutation;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tables of BigQuery for results: one that every result is appended to, one that keeps the newest
 * of each key and window. Policies may share them. Events that came too late and dead letters go
 * elsewhere.
 */
final class BigQueryDestination implements Destination {
  private static final String OUTPUT = "--outputTable";
  private static final String LATEST = "--latestTable";

  private final BigQueryOptions options;
  private final Map<String, TableReference> tables;
  private final TableSchema schema;
  private final BigQueryServices services;
  private final TableUpdate update;
  private final Instant started;

  private BigQueryDestination(
      BigQueryOptions options,
      Map<String, TableReference> tables,
      TableSchema schema,
      BigQueryServices services,
      TableUpdate update,
      Instant started) {
    this.options = options;
    this.tables = tables;
    this.schema = schema;
    this.services = services;
    this.update = update;
    this.started = started;
  }

  /**
   * The tables that the options name; empty if they name none.
   *
   * @throws UsageException if a name is none, the tables are the same, or the policies do not go
   *     with them
   */
  static Optional<BigQueryDestination> of(BigQuerySinkOptions options, List<Policy> policies)
      throws UsageException {
    BigQueryOptions beams = options.as(BigQueryOptions.class);
    return of(options, policies, new BigQueryServicesImpl(), new BigQueryRest(beams));
  }

  /** The same with other services. */
  static Optional<BigQueryDestination> of(
      BigQuerySinkOptions options,
      List<Policy> policies,
      BigQueryServices services,
      TableUpdate update)
      throws UsageException {
    Map<String, TableReference> tables = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    add(OUTPUT, options.getOutputTable(), tables, problems);
    add(LATEST, options.getLatestTable(), tables, problems);
    if (tables.containsKey(LATEST)) {
      if (tables.get(LATEST).equals(tables.get(OUTPUT))) {
        problems.add(
            "%s=%s: is the table of %s too; give each its own"
                .formatted(LATEST, options.getLatestTable(), OUTPUT));
      }
      policies.stream()
          .filter(policy -> policy.accumulation() == Accumulation.DISCARDING)
          .map(
              policy ->
                  "%s=%s: the panes of %s add up, so the newest is not the value of its window; give %s"
                      .formatted(LATEST, options.getLatestTable(), policy.metric(), OUTPUT))
          .forEach(problems::add);
    }
    UsageException.throwIfAny(problems);
    return tables.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new BigQueryDestination(
                options.as(BigQueryOptions.class),
                tables,
                ResultTable.schema(policies),
                services,
                update,
                Instant.now()));
  }

  private static void add(
      String option,
      @Nullable String name,
      Map<String, TableReference> tables,
      List<String> problems) {
    if (name == null) {
      return;
    }
    try {
      TableReference table = BigQueryHelpers.parseTableSpec(name);
      if (table.getProjectId() != null && !table.getTableId().contains("$")) {
        tables.put(option, table);
        return;
      }
    } catch (IllegalArgumentException malformed) {
      // said below
    }
    problems.add(option + "=" + name + ": is not a table; write PROJECT:DATASET.TABLE");
  }

  @Override
  public List<Outlet<WindowResult>> results(Policy policy) {
    List<Outlet<WindowResult>> outlets = new ArrayList<>();
    TableReference output = tables.get(OUTPUT);
    if (output != null) {
      outlets.add(
          new Outlet<>(
              "Append to table",
              place(output),
              AppendResults.of(policy, place(output), write(output))));
    }
    TableReference latest = tables.get(LATEST);
    if (latest != null) {
      outlets.add(
          new Outlet<>(
              "Upsert latest results",
              place(latest),
              UpsertLatest.of(policy, place(latest), this.<RowMutation>write(latest), started)));
    }
    return outlets;
  }

  private <T> BigQueryIO.Write<T> write(TableReference table) {
    return BigQueryIO.<T>write()
        .to(table)
        .withSchema(schema)
        .withTimePartitioning(ResultTable.partitioning())
        .withClustering(ResultTable.clustering())
        .withTestServices(services);
  }

  @Override
  public List<Outlet<TooLateEvent>> tooLate(Policy policy) {
    return List.of();
  }

  @Override
  public List<Outlet<DeadLetter>> deadLetters(Policy policy) {
    return List.of();
  }

  private static String place(TableReference table) {
    return "table " + BigQueryHelpers.toTableSpec(table);
  }

  /** Adds the columns that a table lacks. A table that is not there is made by Beam's sink. */
  @Override
  public void prepare() throws UsageException {
    for (Map.Entry<String, TableReference> table : tables.entrySet()) {
      String option = table.getKey() + "=" + BigQueryHelpers.toTableSpec(table.getValue()) + ": ";
      try {
        prepare(option, table.getKey().equals(LATEST), table.getValue());
      } catch (IOException e) {
        throw new UsageException(option + firstLine(e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UsageException(option + "interrupted");
      }
    }
  }

  private void prepare(String option, boolean isLatest, TableReference reference)
      throws UsageException, IOException, InterruptedException {
    Table table = find(reference);
    if (table == null) {
      return;
    }
    ExistingTable existing = ExistingTable.of(table);
    List<String> problems = new ArrayList<>(existing.problems(schema));
    if (isLatest) {
      problems.addAll(existing.keyProblems());
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems.stream().map(option::concat).toList());
    }
    Optional<List<TableFieldSchema>> columns = existing.with(schema);
    if (columns.isPresent()) {
      update.setSchema(reference, new TableSchema().setFields(columns.get()));
    }
  }

  private @Nullable Table find(TableReference table) throws IOException, InterruptedException {
    DatasetService service = services.getDatasetService(options);
    try {
      service.getDataset(table.getProjectId(), table.getDatasetId());
      return service.getTable(table, List.of(), DatasetService.TableMetadataView.BASIC);
    } finally {
      close(service);
    }
  }

  private static void close(DatasetService service) throws IOException {
    try {
      service.close();
    } catch (Exception e) {
      throw new IOException("the connection cannot be closed: " + e, e);
    }
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** Nothing: what a table has, it has. */
  @Override
  public void cleanUp() {}
}
