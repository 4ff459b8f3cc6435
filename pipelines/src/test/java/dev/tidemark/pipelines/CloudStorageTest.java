package dev.tidemark.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasToString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.pipelines.Command.Outcome;
import dev.tidemark.testkit.gcs.Fault;
import dev.tidemark.testkit.gcs.Faults;
import dev.tidemark.testkit.gcs.GcsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands with everything on {@code gs://}. */
class CloudStorageTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String POLICY = "--policy=gs://bucket/conf/policy.yaml";
  private static final String TOO_LATE =
      """
      {"metric":"m","key":{"k":"k0"},"windowStart":"2026-07-01T00:00:00.000Z",\
      "windowEnd":"2026-08-01T00:00:00.000Z","eventTime":"2026-07-04T10:00:00.000Z",\
      "arrivedAt":"2026-09-01T00:00:00.000Z","policyVersion":"1",\
      "event":"{\\"k\\":\\"k0\\",\\"t\\":\\"2026-07-04T10:00:00Z\\",\\"v\\":7}",\
      "source":{"file":"late","offset":0}}
      """;
  private static final int FILES = 5;
  private static final int RECORDS = 60;

  private final GcsServer server = GcsServer.start();
  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void objects() {
    server.createBucket("bucket");
    put(
        "conf/policy.yaml",
        """
        metric: m
        version: "1"
        timestamp: /t
        key: {k: /k}
        window: {calendar: {periods: periods.csv}}
        aggregates: {sum: {sum: /v}}
        """);
    put(
        "conf/periods.csv",
        """
        periodId,start,end,zone,calendarVersion
        P1,2026-07-01T00:00:00Z,2026-08-01T00:00:00Z,UTC,v1
        """);
    for (int file = 0; file < FILES; file++) {
      put("in/" + file + ".ndjson", String.join("\n", records(file)));
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.2})
  void aRunIsCompleteAndLeavesNothingElse(double faultRate) throws Exception {
    inject(faultRate);
    Outcome outcome = run("run", POLICY, "--input=gs://bucket/in/*", "--output=gs://bucket/out");
    server.inject();

    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        lines("out/results/").stream()
            .map(result -> result.at("/key/k").asText() + " " + result.at("/value/sum"))
            .toList(),
        containsInAnyOrder("k0 60", "k1 40"));
    assertThat(
        lines("out/dead-letters/reason=NOT_JSON/").stream()
            .map(deadLetter -> deadLetter.path("raw").asText())
            .toList(),
        containsInAnyOrder(allRecords().filter(CloudStorageTest::isBroken).toArray()));
    assertThat(
        server.objects("bucket").stream()
            .filter(name -> !name.matches("(conf|in)/[^/]+|out/(results|dead-letters)/.*ndjson"))
            .toList(),
        is(empty()));
    assertThat(faultyCalls(), faultRate == 0 ? is(0L) : greaterThan(5L));
  }

  @Test
  void anEarlierRunIsRefusedOrReplaced() throws Exception {
    put("out/results/earlier.ndjson", "{}");
    String[] run = {"run", POLICY, "--input=gs://bucket/in/*", "--output=gs://bucket/out/"};
    Outcome refused = run(run);
    assertThat(
        refused.errLines(),
        contains(startsWith("tidemark: --output=gs://bucket/out/: holds files")));
    assertThat(refused.exitCode(), is(2));

    Outcome replaced = run(Stream.concat(Stream.of(run), Stream.of("--overwrite")));
    assertThat(replaced.err(), replaced.exitCode(), is(0));
    assertThat(lines("out/results/").size(), is(2));
  }

  @Test
  void theOtherCommandsReadItToo() throws Exception {
    assertThat(run("plan", POLICY).out(), startsWith("m, version 1"));
    run("run", POLICY, "--input=gs://bucket/in/*", "--output=gs://bucket/out");
    put("late/too-late/late.ndjson", TOO_LATE);
    Outcome reconciled =
        run(
            "reconcile",
            POLICY,
            "--results=gs://bucket/out",
            "--tooLate=gs://bucket/late",
            "--output=gs://bucket/out");
    assertThat(reconciled.err(), reconciled.exitCode(), is(0));
    Outcome latest = run("latest", "--results=gs://bucket/out");
    assertThat(
        latest.out().lines().map(CloudStorageTest::json).map(row -> row.at("/value/sum")).toList(),
        hasToString("[67, 40]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan --policy=", "run --input=gs://bucket/in/* --output=out --policy="})
  void aMissingPolicyIsNamed(String command) throws Exception {
    Outcome outcome = run((command + "gs://bucket/none.yaml").split(" "));
    assertThat(outcome.errLines(), contains(startsWith("tidemark: gs://bucket/none.yaml: ")));
    assertThat(outcome.exitCode(), is(2));
  }

  private void inject(double rate) {
    server.inject(
        // Beam gives up on an answer in JSON that breaks off, but not on content that does.
        Faults.of(1).withRate(rate).withKinds(Fault.TRUNCATED_BODY).withCalls("GET", "/download"),
        Faults.of(2)
            .withRate(rate)
            .withKinds(
                Fault.TOO_MANY_REQUESTS,
                Fault.INTERNAL_ERROR,
                Fault.UNAVAILABLE,
                Fault.CONNECTION_RESET,
                Fault.LOST_RESPONSE,
                Fault.SLOW));
  }

  private Outcome run(String... command) throws Exception {
    return run(Stream.of(command));
  }

  private Outcome run(Stream<String> command) throws Exception {
    String[] withServer =
        Stream.concat(command, server.arguments().stream()).toArray(String[]::new);
    return Command.run(directory, withServer);
  }

  /** Of each six, five are events. */
  private static List<String> records(int file) {
    return IntStream.range(0, RECORDS / FILES)
        .mapToObj(
            i ->
                i % 6 == 5
                    ? "broken %d %d".formatted(file, i)
                    : "{\"k\":\"k%d\",\"t\":\"2026-07-04T10:00:00Z\",\"v\":2}".formatted(i % 2))
        .toList();
  }

  private static Stream<String> allRecords() {
    return IntStream.range(0, FILES).boxed().flatMap(file -> records(file).stream());
  }

  private static boolean isBroken(String record) {
    return record.startsWith("broken");
  }

  private void put(String name, String content) {
    server.put("gs://bucket/" + name, content.getBytes(UTF_8));
  }

  private List<JsonNode> lines(String prefix) {
    List<JsonNode> lines = new ArrayList<>();
    for (String name : server.objects("bucket")) {
      if (name.startsWith(prefix)) {
        new String(server.content("gs://bucket/" + name), UTF_8)
            .lines()
            .forEach(line -> lines.add(json(line)));
      }
    }
    return lines;
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long faultyCalls() {
    return server.calls().stream().filter(call -> call.fault() != null).count();
  }
}
