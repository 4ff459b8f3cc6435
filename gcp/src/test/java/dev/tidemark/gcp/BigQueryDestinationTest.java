package dev.tidemark.gcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.api.services.bigquery.model.Table;
import com.google.api.services.bigquery.model.TableFieldSchema;
import com.google.api.services.bigquery.model.TableRow;
import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.pipelines.AggregateEvents;
import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.Command.Outcome;
import dev.tidemark.pipelines.Destinations;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.FileDestination;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.testkit.PipelineExtension;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What leaves a pipeline, in tables. */
@ExtendWith(PipelineExtension.class)
class BigQueryDestinationTest {
  private static final Instant TIME = Instant.parse("2024-07-04T10:00:00Z");
  private static final String HUGE = "1" + "0".repeat(39);

  @TempDir private Path directory = Path.of("");
  private final FakeBigQuery bigQuery = new FakeBigQuery();

  @Test
  void everyResultIsARowAndTheNewestOfEachWindowIsARowOfTheLatestTable(TestPipeline pipeline)
      throws Exception {
    Policy policy = policy("n: count, s: {sum: /v}");
    run(pipeline, policy);

    List<String> results = lines("results");
    assertThat(results.size(), is(3));
    assertThat(bigQuery.lines("results"), containsInAnyOrder(results.toArray()));
    assertThat(
        bigQuery.lines("latest"),
        containsInAnyOrder(
            results.stream().filter(line -> !line.contains("\"n\":1,\"s\":1.5}")).toArray()));
  }

  @Test
  void aRowHasTheResultInTypedColumns(TestPipeline pipeline) throws Exception {
    run(pipeline, policy("n: count, s: {sum: /v}, top: {top: {of: /k, n: 3}}, avg: {mean: /v}"));

    TableRow row = row("latest", "a");
    assertThat(row.get("metric"), is("sums"));
    assertThat(String.valueOf(row.get("key")), containsString("k=a"));
    assertThat(row.get("keyjson"), is("{\"k\":\"a\"}"));
    assertThat(row.get("windowid"), is("2024-07-04T10:00:00.000Z/2024-07-04T10:05:00.000Z"));
    assertThat(String.valueOf(row.get("windowstart")), startsWith("2024-07-04"));
    assertThat(row.get("resultkind"), is("LATE_UPDATE"));
    assertThat(row.get("firingsequence"), is("2"));
    Map<?, ?> value = (Map<?, ?>) Objects.requireNonNull(row.get("value"));
    assertThat(value.get("n"), is("2"));
    assertThat(value.get("s"), is("1.6"));
    assertThat(value.get("avg"), is("0.8"));
    assertThat(
        String.valueOf(value.get("top")), is("[GenericData{classInfo=[f], {value=a, count=2}}]"));
  }

  @Test
  void theTablesAreMadeWithPartitionsClustersAndTheLatestWithAPrimaryKey(TestPipeline pipeline)
      throws Exception {
    run(pipeline, policy("n: count"));

    for (String name : List.of("results", "latest")) {
      Table table = bigQuery.describe(name);
      assertThat(table.getTimePartitioning().getField(), is("windowStart"));
      assertThat(table.getClustering().getFields(), contains("metric", "keyJson"));
    }
    assertThat(
        bigQuery.describe("latest").getTableConstraints().getPrimaryKey().getColumns(),
        contains("metric", "keyjson", "windowid"));
  }

  @Test
  void aRowThatATableRefusesIsADeadLetterWithItsLineAndTheOthersAreWritten(TestPipeline pipeline)
      throws Exception {
    bigQuery.refuse(
        (Predicate<TableRow> & Serializable) row -> "{\"k\":\"a\"}".equals(row.get("keyjson")));
    run(pipeline, policy("n: count"));

    String[] refused =
        lines("results").stream().filter(line -> line.contains("\"a\"")).toArray(String[]::new);
    assertThat(refused.length, is(2));
    assertThat(notWritten(bigQuery.table("results")), containsInAnyOrder((Object[]) refused));
    assertThat(notWritten(bigQuery.table("latest")), containsInAnyOrder((Object[]) refused));
    assertThat(bigQuery.rows("results").size(), is(1));
    assertThat(bigQuery.rows("latest").size(), is(1));
  }

  @Test
  void aNumberThatNoColumnHoldsIsADeadLetterAndTheOthersAreWritten(TestPipeline pipeline)
      throws Exception {
    Policy policy = policy("m: {max: /v}");
    run(pipeline, policy, event("c", 1, HUGE));

    List<String> dead = notWritten(bigQuery.table("results"));
    assertThat(dead.size(), is(1));
    assertThat(dead.get(0), containsString("\"m\":" + HUGE));
    assertThat(notWritten(bigQuery.table("latest")), is(dead));
    assertThat(bigQuery.rows("results").size(), is(3));
  }

  @Test
  void decimalsAreExactToTheDigitsOfAColumnAndInTheLineToAll(TestPipeline pipeline)
      throws Exception {
    String fine = "0.00000000000000000000000000000000000000019";
    String exact = "12345678901234567890123456789.12345678901234567890123456789012345678";
    run(pipeline, policy("m: {max: /v}"), event("c", 1, exact), event("d", 1, fine));

    assertThat(String.valueOf(row("latest", "c").get("value")), containsString("m=" + exact));
    TableRow rounded = row("latest", "d");
    assertThat(
        new BigDecimal(
                String.valueOf(((Map<?, ?>) Objects.requireNonNull(rounded.get("value"))).get("m")))
            .signum(),
        is(0));
    assertThat(String.valueOf(rounded.get("line")), containsString("\"m\":" + fine));
  }

  @Test
  void anAggregateThatIsAddedAddsAColumnToATableThatIsThere(TestPipeline pipeline)
      throws Exception {
    bigQuery.create("results", ResultTable.schema(List.of(policy("n: count"))).getFields());
    Policy grown = policy("n: count, s: {sum: /v}");
    BigQuerySinkOptions options = bigQuery.options();
    options.setLatestTable(null);
    BigQueryDestination destination = bigQuery.destination(options, grown);
    destination.prepare();
    bigQuery.destination(options, policy("n: count")).prepare(); // does not take it away
    bigQuery.destination(options, grown).prepare();

    run(pipeline, grown, destination);

    assertThat(bigQuery.updates(), is(1));
    TableFieldSchema value =
        ResultTable.find(bigQuery.describe("results").getSchema().getFields(), "value")
            .orElseThrow();
    assertThat(
        value.getFields().stream().map(TableFieldSchema::getName).toList(), contains("n", "s"));
    assertThat(bigQuery.lines("results"), containsInAnyOrder(lines("results").toArray()));
    assertThat(bigQuery.rows("results").toString(), containsString("s=1.6"));
  }

  @Test
  void aTableThatHasAllColumnsIsNotTouched() throws Exception {
    Policy policy = policy("n: count");
    bigQuery.create("results", ResultTable.schema(List.of(policy)).getFields());
    bigQuery.destination(policy).prepare();
    assertThat(bigQuery.updates(), is(0));
  }

  @ParameterizedTest
  @MethodSource("unfitTables")
  void aTableThatResultsDoNotGoIntoIsRefusedBeforeThePipelineRuns(
      String name, List<TableFieldSchema> columns, String problem) throws Exception {
    bigQuery.create(name, columns);
    UsageException e =
        assertThrows(
            UsageException.class, () -> bigQuery.destination(policy("n: count")).prepare());
    String option = name.equals("latest") ? "--latestTable=" : "--outputTable=";
    assertThat(e.problems(), contains(startsWith(option + bigQuery.table(name) + ": " + problem)));
    assertThat(bigQuery.updates(), is(0));
  }

  static Stream<Arguments> unfitTables() throws Exception {
    List<TableFieldSchema> fields = new ArrayList<>();
    for (String name : ResultTable.PRIMARY_KEY) {
      fields.add(column(name, "STRING"));
    }
    return Stream.of(
        Arguments.of("results", List.of(column("a", "STRING")), "has no column metric"),
        Arguments.of(
            "results",
            with(fields, column("isLast", "STRING")),
            "the column isLast is STRING, but in results BOOLEAN"),
        Arguments.of(
            "results",
            with(fields, column("value", "RECORD").setFields(List.of(column("n", "BIGNUMERIC")))),
            "the column value.n is BIGNUMERIC, but in results INTEGER"),
        Arguments.of(
            "results",
            with(fields, column("tenant", "STRING").setMode("REQUIRED")),
            "the column tenant is REQUIRED, but results have none"),
        Arguments.of("latest", fields, "needs the primary key metric, keyJson, windowId"));
  }

  @Test
  void aDatasetThatIsNotThereIsNamed() throws Exception {
    BigQuerySinkOptions options = bigQuery.options();
    options.setOutputTable("test-project:none.results");
    UsageException e =
        assertThrows(
            UsageException.class,
            () -> bigQuery.destination(options, policy("n: count")).prepare());
    assertThat(e.problems(), contains(startsWith("--outputTable=test-project:none.results: ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--outputTable=results | accumulating | --outputTable=results: is not a table; write PROJECT:DATASET.TABLE",
        "--latestTable=d.t | accumulating | --latestTable=d.t: is not a table; write PROJECT:DATASET.TABLE",
        "--outputTable=my-project:d.t$20260704 | accumulating | --outputTable=my-project:d.t$20260704: is not a table; write PROJECT:DATASET.TABLE",
        "--outputTable=my-project:d.t --latestTable=my-project.d.t | accumulating | --latestTable=my-project.d.t: is the table of --outputTable too; give each its own",
        "--latestTable=my-project:d.t | discarding | --latestTable=my-project:d.t: the panes of sums add up, so the newest is not the value of its window; give --outputTable",
        "--outputTable=my-project:d.t --tooLateTable=my-project:d.l | accumulating | unknown option --tooLateTable"
      })
  void wrongOptionsAreOneLineAndExitCodeTwo(String options, String accumulation, String line)
      throws Exception {
    policy("n: count", accumulation);
    Path events = Files.writeString(directory.resolve("events.ndjson"), event("a", 1, "1"));
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "--policy=" + directory.resolve("policy.yaml"),
                "--input=" + events,
                "--output=" + directory.resolve("out")));
    args.addAll(List.of(options.split(" ")));
    Outcome outcome = Command.runHere(args.toArray(String[]::new));
    assertThat(outcome.errLines(), contains(startsWith("tidemark: " + line)));
    assertThat(outcome.exitCode(), is(2));
  }

  private void run(TestPipeline pipeline, Policy policy, String... more) throws Exception {
    run(pipeline, policy, bigQuery.destination(policy), more);
  }

  private void run(TestPipeline pipeline, Policy policy, BigQueryDestination tables, String... more)
      throws Exception {
    FileDestination files =
        FileDestination.of(new OutputDirectory(directory.resolve("out").toString()), "run");
    TestStream.Builder<List<RawRecord>> stream =
        TestStream.create(ListCoder.of(RawRecordCoder.of()))
            .addElements(at(event("a", 0, "1.5")), at(event("b", 1, "2")), at("no event"));
    for (String event : more) {
      stream = stream.addElements(at(event));
    }
    pipeline
        .apply(
            stream
                .advanceWatermarkTo(TIME.plus(Duration.standardMinutes(6)))
                .addElements(at(event("a", 2, "0.1")))
                .advanceWatermarkToInfinity())
        .apply(
            policy.metric(), AggregateEvents.of(policy, Destinations.of(List.of(tables, files))));
    pipeline.run().waitUntilFinish();
  }

  private static String event(String key, int minute, String value) {
    return "{\"k\":\"%s\",\"t\":\"%s\",\"v\":%s}"
        .formatted(key, TIME.plus(Duration.standardMinutes(minute)), value);
  }

  private static TimestampedValue<List<RawRecord>> at(String text) {
    return TimestampedValue.of(
        List.of(new RawRecord(text.getBytes(UTF_8), new Origin.FileLine("events", 0, 1L), TIME)),
        TIME);
  }

  private Policy policy(String aggregates) throws Exception {
    return policy(aggregates, "accumulating");
  }

  private Policy policy(String aggregates, String accumulation) throws Exception {
    Path file = directory.resolve("policy.yaml");
    Files.writeString(
        file,
        """
        metric: sums
        version: "1"
        timestamp: /t
        key: {k: /k}
        window: {fixed: {size: 5m}}
        allowedLateness: 10m
        accumulation: %s
        aggregates: {%s}
        """
            .formatted(accumulation, aggregates));
    return PolicyLoader.load(file.toString());
  }

  private TableRow row(String table, String key) throws Exception {
    return bigQuery.rows(table).stream()
        .filter(row -> row.get("keyjson").equals("{\"k\":\"" + key + "\"}"))
        .findFirst()
        .orElseThrow();
  }

  private List<String> notWritten(String table) throws IOException {
    List<String> raw = new ArrayList<>();
    for (String line : lines("dead-letters/reason=NOT_WRITTEN")) {
      DeadLetter deadLetter = DeadLetterJson.parse(line.getBytes(UTF_8));
      assertThat(deadLetter.reason(), is(Reason.NOT_WRITTEN));
      if (deadLetter.message().startsWith("table " + table + " refused the result: ")) {
        raw.add(new String(deadLetter.raw().bytes(), UTF_8));
      }
    }
    return raw;
  }

  private List<String> lines(String lane) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : Command.files(directory.resolve("out").resolve(lane))) {
      lines.addAll(Files.readAllLines(directory.resolve("out").resolve(lane).resolve(file)));
    }
    return lines;
  }

  private static TableFieldSchema column(String name, String type) {
    return new TableFieldSchema().setName(name).setType(type).setMode("NULLABLE");
  }

  private static List<TableFieldSchema> with(
      List<TableFieldSchema> columns, TableFieldSchema another) {
    List<TableFieldSchema> all = new ArrayList<>(columns);
    all.add(another);
    return all;
  }
}
