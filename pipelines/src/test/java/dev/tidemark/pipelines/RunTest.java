package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.both;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.pipelines.Command.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs from files to files. */
class RunTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void files() throws IOException {
    write("revenue.yaml", policy("revenue", "fixed: {size: 5m}", "sum: {sum: /v}"));
    write("visits.yaml", policy("visits", "sessions: {gap: 1h, maxDuration: 2h}", "n: count"));
    write("e1.ndjson", event("a", "10:00", 1), event("b", "11:00", 2), "no event");
    write("e2.ndjson", event("a", "10:04", 3), event("a", "10:05", 4));
  }

  @Test
  void everyRecordIsInAResultOrADeadLetter() throws Exception {
    Outcome outcome = run("--policy=revenue.yaml", "--input=e*.ndjson", "--output=out");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        lastLines(outcome, 4),
        contains(
            matchesPattern("read 5 records in .* s \\(.*/s\\)"),
            is("revenue: 4 counted, 1 dead letters (NOT_JSON 1), 0 too late, 3 results"),
            is("dead letters: out/dead-letters"),
            is("results: out/results")));
    assertThat(
        results(),
        containsInAnyOrder(
            "revenue a 2026-07-04T10:00:00.000Z {\"sum\":4}",
            "revenue a 2026-07-04T10:05:00.000Z {\"sum\":4}",
            "revenue b 2026-07-04T11:00:00.000Z {\"sum\":2}"));
    assertThat(
        lines("dead-letters").stream().map(line -> line.get("raw").textValue()).toList(),
        contains("no event"));
  }

  @Test
  void filesLieUnderTheHourOfTheirWindowsStartAndNothingElseIsLeft() throws Exception {
    run("--policy=revenue.yaml", "--input=e*.ndjson", "--output=out");
    try (Stream<Path> children = Files.list(directory.resolve("out"))) {
      assertThat(
          children.map(child -> child.getFileName().toString()).toList(),
          containsInAnyOrder("results", "dead-letters"));
    }
    try (Stream<Path> hours = Files.walk(directory.resolve("out/results"), 2)) {
      assertThat(
          hours.map(hour -> directory.resolve("out/results").relativize(hour).toString()).toList(),
          containsInAnyOrder("", "dt=2026-07-04", "dt=2026-07-04/hr=10", "dt=2026-07-04/hr=11"));
    }
  }

  @Test
  void deadLettersLieUnderTheirReasonAndTheHourOfTheirArrival() throws Exception {
    write("e3.ndjson", "[]", "{}");
    run("--policy=revenue.yaml,visits.yaml", "--input=e*.ndjson", "--output=out");
    List<String> paths = new ArrayList<>();
    for (JsonNode deadLetter : lines("dead-letters")) {
      String hour = deadLetter.get("arrivedAt").textValue().substring(0, 13).replace("T", "/hr=");
      String path = "out/dead-letters/reason=%s/dt=%s";
      paths.add(path.formatted(deadLetter.get("reason").textValue(), hour));
    }
    try (Stream<Path> files = Files.walk(directory.resolve("out/dead-letters"))) {
      assertThat(
          files
              .filter(Files::isRegularFile)
              .map(file -> directory.relativize(file.getParent()).toString())
              .toList(),
          containsInAnyOrder(paths.toArray()));
    }
    assertThat(paths.size(), is(6));
  }

  @Test
  void deadLettersFillTheirFilesHoweverManyBundlesTheyComeIn() throws Exception {
    int rollBytes = 3 << 20;
    String[] broken = new String[6_000]; // of 6 MB, so in three bundles at least
    Arrays.fill(broken, "x".repeat(1_000));
    write("e1.ndjson", broken);
    run(
        "--policy=revenue.yaml",
        "--input=e1.ndjson",
        "--output=out",
        "--deadLetterRollBytes=" + rollBytes);
    try (Stream<Path> files = Files.walk(directory.resolve("out/dead-letters"))) {
      List<Long> sizes =
          files.filter(Files::isRegularFile).map(file -> file.toFile().length()).sorted().toList();
      assertThat(sizes.size(), greaterThan(2));
      assertThat(
          sizes.subList(1, sizes.size()),
          everyItem(both(greaterThan(rollBytes - 10_000L)).and(lessThan(rollBytes + 10_000L))));
    }
  }

  @Test
  void policiesShareTheInputAndAFileIsReadOnceHoweverManyGlobsMatch() throws Exception {
    Outcome outcome =
        run(
            "--policy",
            "revenue.yaml,visits.yaml",
            "--input",
            "e1.ndjson,e*.ndjson",
            "--output=out");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        lastLines(outcome, 5),
        hasItems(startsWith("read 5 records"), startsWith("visits: 4 counted, 1 dead letters")));
    assertThat(
        results(),
        containsInAnyOrder(
            "revenue a 2026-07-04T10:00:00.000Z {\"sum\":4}",
            "revenue a 2026-07-04T10:05:00.000Z {\"sum\":4}",
            "revenue b 2026-07-04T11:00:00.000Z {\"sum\":2}",
            "visits a 2026-07-04T10:00:00.000Z {\"n\":3}",
            "visits b 2026-07-04T11:00:00.000Z {\"n\":1}"));
  }

  @Test
  void overwriteReplacesAnEarlierRunAndNothingElse() throws Exception {
    run("--policy=visits.yaml", "--input=e1.ndjson", "--output=out");
    write("out/notes.txt", "mine");
    Outcome outcome =
        run("--policy=revenue.yaml", "--input=e2.ndjson", "--output=out", "--overwrite");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        results(),
        containsInAnyOrder(
            "revenue a 2026-07-04T10:00:00.000Z {\"sum\":3}",
            "revenue a 2026-07-04T10:05:00.000Z {\"sum\":4}"));
    assertThat(Files.exists(directory.resolve("out/dead-letters")), is(false));
    assertThat(Files.exists(directory.resolve("out/notes.txt")), is(true));
  }

  @Test
  void aFailedPipelineIsOneLineAndLeavesNoTemporaryFiles() throws Exception {
    write("broken.ndjson.bz2", "not compressed");
    Outcome outcome = run("--policy=revenue.yaml", "--input=broken.ndjson.bz2", "--output=out");
    assertThat(outcome.exitCode(), is(1));
    assertThat(
        lastLines(outcome, 1),
        contains(matchesPattern("tidemark: failed: .*broken.ndjson.bz2.*BZip2.*")));
    assertThat(Files.exists(directory.resolve("out/.temp-beam")), is(false));
  }

  @Test
  void killedAtThirtyRandomMomentsAndStartedAgainItIsComplete() throws Exception {
    List<String> events = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      events.add(event("a", "%02d:00".formatted(i), i));
      events.add("broken " + i);
      expected.add("revenue a 2026-07-04T%02d:00:00.000Z {\"sum\":%d}".formatted(i, i));
      expected.add("broken " + i);
    }
    write("e1.ndjson", events.toArray(String[]::new));
    String[] options = {
      "--policy=revenue.yaml",
      "--input=e1.ndjson",
      "--output=out",
      "--overwrite",
      "--deadLetterRollBytes=1000"
    };
    String[] command = Stream.concat(Stream.of("run"), Stream.of(options)).toArray(String[]::new);

    RandomKills.of(
        directory,
        command,
        60,
        kill -> {},
        kill -> {
          List<String> written = written();
          assertThat(expected.containsAll(written), is(true));
          assertThat(new HashSet<>(written).size(), is(written.size()));
        });
    Outcome outcome = run(options);

    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(written(), containsInAnyOrder(expected.toArray()));
    assertThat(
        Command.files(directory.resolve("out")).stream()
            .filter(file -> !file.toString().matches("(results|dead-letters)/.*ndjson"))
            .toList(),
        is(empty()));
  }

  /** All results and all records of dead letters. */
  private List<String> written() throws IOException {
    List<String> written = new ArrayList<>(results());
    lines("dead-letters").forEach(line -> written.add(line.get("raw").textValue()));
    return written;
  }

  @ParameterizedTest
  @CsvSource({"0.19, 1", "0.2, 0"})
  void tooManyDeadLettersAreAFailureThatNamesTheirRatioAndTopReason(String ratio, int exitCode)
      throws Exception {
    Outcome outcome =
        run(
            "--policy=revenue.yaml",
            "--input=e*.ndjson",
            "--output=out",
            "--maxDeadLetterRatio=" + ratio);
    assertThat(outcome.err(), outcome.exitCode(), is(exitCode));
    String failure =
        "tidemark: failed: revenue: 0.2000 of the latest 5 records are dead letters, more than"
            + " --maxDeadLetterRatio=0.19; most of them NOT_JSON 1";
    assertThat(lastLines(outcome, 1).contains(failure), is(exitCode == 1));
    assertThat(Files.exists(directory.resolve("out/.temp-beam")), is(false));
  }

  private Outcome run(String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("run"));
    args.addAll(List.of(options));
    return Command.run(directory, args.toArray(String[]::new));
  }

  /** Without the progress, which a slow machine says before. */
  private static List<String> lastLines(Outcome outcome, int count) {
    List<String> lines = outcome.errLines();
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }

  /** Each result as metric, key, window start and value. */
  private List<String> results() throws IOException {
    return lines("results").stream()
        .map(
            result ->
                "%s %s %s %s"
                    .formatted(
                        result.get("metric").textValue(),
                        result.get("key").get("k").textValue(),
                        result.get("windowStart").textValue(),
                        result.get("value")))
        .toList();
  }

  private List<JsonNode> lines(String lane) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (Path file : Command.files(directory)) {
      if (file.startsWith("out/" + lane)) {
        for (String line : Files.readAllLines(directory.resolve(file))) {
          lines.add(JSON.readTree(line));
        }
      }
    }
    return lines;
  }

  private static String policy(String metric, String window, String aggregate) {
    return """
        metric: %s
        version: "1"
        timestamp: /t
        key: {k: /k}
        window: {%s}
        watermark: {maxOutOfOrderness: 5s}
        aggregates: {%s}
        """
        .formatted(metric, window, aggregate);
  }

  private static String event(String key, String time, int value) {
    return "{\"k\":\"%s\",\"t\":\"2026-07-04T%s:00Z\",\"v\":%d}".formatted(key, time, value);
  }

  private void write(String name, String... lines) throws IOException {
    Files.write(directory.resolve(name), List.of(lines));
  }
}
