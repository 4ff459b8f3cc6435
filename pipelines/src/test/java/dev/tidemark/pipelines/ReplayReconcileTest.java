package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From dead letters to corrected results: run, mend the policy, replay, reconcile. */
class ReplayReconcileTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String POLICY =
      """
      metric: m
      version: "1"
      format: {csv: {columns: [k, t, user, v]}}
      timestamp: /t
      key: {k: /k}
      window: {%s}
      aggregates: {n: count, sum: {sum: /v}, users: {distinct: /user}, p50: {quantile: {of: /v, q: 0.5}}}
      """;
  private static final String ACCUMULATE = "--withAccumulators";
  private static final int EVENTS = 120;

  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fixed: {size: 1h}",
        "sliding: {size: 1h, every: 20m}",
        "sessions: {gap: 10m}",
        "calendar: {period: day, zone: Asia/Jakarta}"
      })
  void whatStandsIsWhatARunOverAllRecordsComesTo(String window) throws IOException {
    write("policy.yaml", POLICY.formatted(window));
    write("events.csv", events());
    tidemark("run", "--policy=policy.yaml", "--input=events.csv", "--output=run", ACCUMULATE);
    copy("run/dead-letters", "copy/dead-letters"); // without the claims to come
    write("policy.yaml", POLICY.formatted(window).replace("user, v]", "user, v, note]"));
    tidemark("run", "--policy=policy.yaml", "--input=events.csv", "--output=all", ACCUMULATE);

    tidemark("replay", "--policy=policy.yaml", "--deadLetters=run", "--output=replayed");
    tidemark("replay", "--policy=policy.yaml", "--deadLetters=copy", "--output=again");
    tidemark(
        "reconcile",
        "--policy=policy.yaml",
        "--results=run",
        "--tooLate=replayed,again",
        "--output=run");

    assertThat(latest("run"), is(latest("all")));
  }

  /** One in three has a cell too many; the last hours have no others, so no results at first. */
  private static String events() {
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < EVENTS; i++) {
      boolean broken = i % 3 == 0 || i > EVENTS - 30;
      events.append(
          "%s,2026-07-04T%02d:%02d:00Z,u%d,%d%s\n"
              .formatted(
                  i % 2 == 0 ? "a" : "b",
                  i / 15,
                  (i % 15) * (i % 15) / 4,
                  i % 7,
                  i * 37 % 101,
                  broken ? ",x" : ""));
    }
    return events.toString();
  }

  /** Key, window and value of each row. */
  private List<String> latest(String results) throws IOException {
    List<String> rows = new ArrayList<>();
    for (String line : tidemark("latest", "--results=" + results).lines().toList()) {
      JsonNode row = JSON.readTree(line);
      rows.add(
          "%s %s %s %s"
              .formatted(
                  row.get("key"), row.get("windowStart"), row.get("windowEnd"), row.get("value")));
    }
    assertThat(rows.size(), is(greaterThan(1)));
    return rows;
  }

  /** Runs a command to its good end; what it printed. */
  private String tidemark(String... command) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        TidemarkCommand.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(Arrays.stream(command).map(this::inDirectory).toArray(String[]::new));
    assertThat(err.toString(), exitCode, is(0));
    return out.toString();
  }

  /** The same option, its files in the test's directory. */
  private String inDirectory(String argument) {
    return argument.replaceAll("(?<=[=,])", directory + "/");
  }

  private void copy(String from, String to) throws IOException {
    Path source = directory.resolve(from);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = directory.resolve(to).resolve(source.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
  }
}
