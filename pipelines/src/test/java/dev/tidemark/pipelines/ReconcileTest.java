package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.pipelines.Command.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The reconcile and latest commands, as a user starts them. */
class ReconcileTest {
  private static final String POLICY =
      """
      metric: m
      version: "1"
      timestamp: /t
      key: {k: /k}
      window: {fixed: {size: 1m}}
      accumulation: accumulating
      aggregates: {n: count, sum: {sum: /v}}
      """;
  private static final String MEDIAN = "sum: {quantile: {of: /v, q: 0.5}}";
  private static final List<String> EVENTS =
      List.of(
          event("a", "10:00:10", 1),
          event("b", "10:00:10", 7),
          event("a", "10:01:30", 2),
          event("a", "10:00:20", 3),
          event("c", "10:00:30", 4),
          event("a", "10:00:40", 5));
  private static final List<String> CORRECTED =
      List.of("a 10:00 CORRECTION 3 9", "a 10:01 FINAL 1 2", "b 10:00 FINAL 1 7");
  private static final List<String> RECONCILE =
      List.of("reconcile", "--results=run", "--tooLate=run", "--policy=p.yaml", "--output=run");

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void files() throws IOException {
    Files.write(directory.resolve("events.ndjson"), EVENTS);
    writePolicy("p.yaml", POLICY);
  }

  @Test
  void windowsThatMissedEventsAreCorrectedAndNoOthers() throws Exception {
    simulate("p.yaml");

    Outcome first = run(RECONCILE);
    SortedMap<Path, String> files = everything();
    Outcome second = run(RECONCILE);

    assertThat(
        first.errLines(),
        contains(
            "m: 3 too-late events read, 2 windows corrected, 0 dead letters",
            "corrections: run/results"));
    assertThat(
        second.errLines(),
        contains("m: 3 too-late events read, 0 windows corrected, 0 dead letters"));
    assertThat(everything(), is(files));
    List<String> rows = new ArrayList<>(CORRECTED);
    rows.add("c 10:00 CORRECTION 1 4");
    assertThat(rows(run(List.of("latest", "--results=run"))), is(rows));
  }

  @Test
  void anOutputOfItsOwnHoldsTheCorrectionsOnly() throws Exception {
    simulate("p.yaml");

    run(with(RECONCILE, "--output=corrections"));

    assertThat(
        rows(run(List.of("latest", "--results=corrections/results"))),
        contains("a 10:00 CORRECTION 3 9", "c 10:00 CORRECTION 1 4"));
  }

  @Test
  void whatCannotBeParsedAnyMoreIsADeadLetter() throws Exception {
    simulate("p.yaml");
    replace("run/too-late.ndjson", "\\\"k\\\":\\\"c\\\"", "\\\"k\\\":null");

    Outcome outcome = run(RECONCILE);

    assertThat(
        outcome.errLines(),
        contains(
            "m: 3 too-late events read, 1 windows corrected, 1 dead letters (MISSING_KEY 1)",
            "dead letters: run/dead-letters",
            "corrections: run/results"));
    assertThat(rows(run(List.of("latest", "--results=run"))), is(CORRECTED));
  }

  @Test
  void panesThatAddUpAreAddedUp() throws Exception {
    writePolicy("p.yaml", POLICY.replace("accumulating", "discarding\nallowedLateness: 1h"));
    simulate("p.yaml");
    assertThat(
        rows(run(List.of("latest", "--results=run", "--policy=p.yaml"))),
        contains(
            "a 10:00 LATE_UPDATE 3 9",
            "a 10:01 FINAL 1 2",
            "b 10:00 FINAL 1 7",
            "c 10:00 FINAL 1 4"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatCannotBeDoneIsRefusedInOneLineAndWritesNothing(
      String problem, Damage damage, List<String> arguments) throws Exception {
    simulate("p.yaml");
    damage.to(this);
    SortedMap<Path, String> before = everything();

    Outcome outcome = Command.run(directory, arguments.toArray(String[]::new));

    assertThat(
        outcome.errLines(),
        contains(startsWith("tidemark: " + problem.replace("%", directory.toString()))));
    assertThat(outcome.exitCode(), is(2));
    assertThat(outcome.out(), is(""));
    assertThat(everything(), is(before));
  }

  /** What is wrong with the files before the command starts. */
  private interface Damage {
    void to(ReconcileTest test) throws Exception;
  }

  static Stream<Arguments> refusals() {
    List<String> latest = List.of("latest", "--results=run");
    Damage none = test -> {};
    Damage malformed = test -> test.replace("run/results.ndjson", "\"resultKind\"", "\"kind\"");
    Damage median = test -> test.writePolicy("p.yaml", POLICY.replace("sum: {sum: /v}", MEDIAN));
    Damage discardedMedians =
        test -> {
          test.writePolicy(
              "p.yaml",
              POLICY
                  .replace("sum: {sum: /v}", MEDIAN)
                  .replace("accumulating", "discarding\nallowedLateness: 1h"));
          test.simulate("p.yaml");
        };
    return Stream.of(
        refused(
            "missing option --tooLate; see tidemark reconcile --help",
            none,
            RECONCILE.stream().filter(argument -> !argument.contains("tooLate")).toList()),
        refused("--results=none: no .ndjson file", none, with(RECONCILE, "--results=none")),
        refused("--tooLate=none: no .ndjson file", none, with(RECONCILE, "--tooLate=none")),
        refused("--policy: 2 files", none, with(RECONCILE, "--policy=p.yaml,p.yaml")),
        refused(
            "--output=p.yaml/out: cannot be written to",
            none,
            with(RECONCILE, "--output=p.yaml/out")),
        refused("%/run/results.ndjson:1: resultKind is missing", malformed, RECONCILE),
        refused(
            "%/run/too-late.ndjson:1: source is missing",
            test -> test.replace("run/too-late.ndjson", "\"source\"", "\"origin\""), RECONCILE),
        refused(
            "%/run/results.ndjson:1: policyVersion is 2, but the policy's is 1",
            test -> test.replace("run/results.ndjson", "Version\":\"1", "Version\":\"2"),
            RECONCILE),
        refused(
            "--results: none is of the policy's metric other, but some of m",
            test -> test.writePolicy("p.yaml", POLICY.replace("metric: m", "metric: other")),
            RECONCILE),
        refused(
            "the results of m have no accumulators, and sum cannot be rebuilt from its value; run"
                + " with --withAccumulators",
            median,
            RECONCILE),
        refused(
            "correction ",
            test -> {
              test.run(RECONCILE);
              Path lane = test.directory.resolve("run/too-late.ndjson");
              Files.write(lane, Files.readAllLines(lane).subList(0, 1));
            },
            RECONCILE),
        refused("%/run/results.ndjson:1: resultKind is missing", malformed, latest),
        refused("--results=none: no .ndjson file", none, List.of("latest", "--results=none")),
        refused(
            "%/run/results.ndjson:1: the panes of m add up; give its --policy",
            discardedMedians, latest),
        refused(
            "the results of m have no accumulators, and sum cannot be rebuilt",
            discardedMedians,
            with(latest, "--policy=p.yaml")),
        refused(
            "%/run/results/more.ndjson:1: policyVersion is 2, but before it was 1",
            test ->
                test.copy(
                    "run/results.ndjson",
                    "run/results/more.ndjson",
                    "Version\":\"1",
                    "Version\":\"2"),
            latest));
  }

  private static Arguments refused(String problem, Damage damage, List<String> arguments) {
    return Arguments.of(problem, damage, arguments);
  }

  /** With one argument in place of the one of the same name, or behind them all. */
  private static List<String> with(List<String> arguments, String argument) {
    String name = argument.split("=", 2)[0] + "=";
    List<String> with = new ArrayList<>(arguments);
    with.removeIf(other -> other.startsWith(name));
    with.add(argument);
    return with;
  }

  private Outcome run(List<String> arguments) throws Exception {
    Outcome outcome = Command.run(directory, arguments.toArray(String[]::new));
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    return outcome;
  }

  /** Into the directory {@code run}, without accumulators. */
  private void simulate(String policy) {
    StringWriter said = new StringWriter();
    int exitCode =
        TidemarkCommand.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(
                "simulate",
                "--policy=" + directory.resolve(policy),
                "--events=" + directory.resolve("events.ndjson"),
                "--output=" + directory.resolve("run"),
                "--now=2026-07-04T12:00:00Z",
                "--overwrite");
    assertThat(said.toString(), exitCode, is(0));
  }

  private void writePolicy(String name, String policy) throws IOException {
    Files.writeString(directory.resolve(name), policy);
  }

  private void replace(String file, String from, String to) throws IOException {
    copy(file, file, from, to);
  }

  private void copy(String file, String copy, String from, String to) throws IOException {
    String content = Files.readString(directory.resolve(file));
    Files.createDirectories(directory.resolve(copy).getParent());
    Files.writeString(directory.resolve(copy), content.replace(from, to));
  }

  /** Key, window, kind, firing and sum of each line. */
  private static List<String> rows(Outcome latest) throws IOException {
    List<String> rows = new ArrayList<>();
    for (String line : latest.out().lines().toList()) {
      JsonNode row = JSON.readTree(line);
      rows.add(
          "%s %s %s %s %s"
              .formatted(
                  row.at("/key/k").asText(),
                  row.path("windowStart").asText().substring(11, 16),
                  row.path("resultKind").asText(),
                  row.path("firingSequence"),
                  row.at("/value/sum")));
    }
    return rows;
  }

  /** All files and directories, with the content of the files. */
  private SortedMap<Path, String> everything() throws IOException {
    SortedMap<Path, String> everything = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.toList()) {
        everything.put(path, Files.isDirectory(path) ? "" : Files.readString(path));
      }
    }
    return everything;
  }

  private static String event(String key, String time, int value) {
    return "{\"k\":\"%s\",\"t\":\"2026-07-04T%sZ\",\"v\":%d}".formatted(key, time, value);
  }
}
