package dev.tidemark.pipelines.simulate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.transforms.WindowResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulationTest {
  private static final Instant START = Instant.parse("2026-07-04T12:00:00Z");
  private static final String POLICY =
      """
      metric: m
      version: "1"
      timestamp: /t
      key: {k: /k}
      window: {fixed: {size: 1m}}
      trigger: {early: {every: 10s}}
      allowedLateness: 1m
      aggregates: {sum: {sum: /v}}
      watermark: {maxOutOfOrderness: 5s}
      """;
  private static final List<String> EVENTS =
      List.of(
          "{\"k\":\"b\",\"t\":\"2026-07-04T10:00:10Z\",\"v\":1.25}",
          "{\"k\":\"a\",\"t\":\"2026-07-04T10:00:20Z\",\"v\":2}",
          "{\"@processingTime\":\"10s\"}",
          "oops",
          "{\"@watermark\":\"2026-07-04T10:01:00Z\"}",
          "{\"k\":\"a\",\"t\":\"2026-07-04T10:00:30Z\",\"v\":3}",
          "{\"@watermark\":\"2026-07-04T10:02:00Z\"}",
          "{\"k\":\"a\",\"t\":\"2026-07-04T10:00:30Z\",\"v\":4}");

  @TempDir private Path folder;

  @Test
  void whatALineCausesStandsBelowIt() throws Exception {
    StringWriter timeline = new StringWriter();

    Timeline.print(policy(), simulate(), new PrintWriter(timeline));

    assertThat(
        timeline.toString().replaceAll("NOT_JSON .*", "NOT_JSON ...").lines().toList(),
        is(
            """
              line  event time                watermark after           event
                 1  2026-07-04T10:00:10.000Z  2026-07-04T10:00:05.000Z  {"k":"b","t":"2026-07-04T10:00:10Z","v":1.25}
                 2  2026-07-04T10:00:20.000Z  2026-07-04T10:00:15.000Z  {"k":"a","t":"2026-07-04T10:00:20Z","v":2}
                 3  -                         2026-07-04T10:00:15.000Z  {"@processingTime":"10s"}
                    > EARLY          1  2026-07-04T10:00:00.000Z, 2026-07-04T10:01:00.000Z  {"k":"a"}  {"sum":2}
                    > EARLY          1  2026-07-04T10:00:00.000Z, 2026-07-04T10:01:00.000Z  {"k":"b"}  {"sum":1.25}
                 4  -                         2026-07-04T10:00:15.000Z  oops
                    > dead letter       NOT_JSON ...
                 5  -                         2026-07-04T10:01:00.000Z  {"@watermark":"2026-07-04T10:01:00Z"}
                    > FINAL          2  2026-07-04T10:00:00.000Z, 2026-07-04T10:01:00.000Z  {"k":"a"}  {"sum":2}
                    > FINAL          2  2026-07-04T10:00:00.000Z, 2026-07-04T10:01:00.000Z  {"k":"b"}  {"sum":1.25}
                 6  2026-07-04T10:00:30.000Z  2026-07-04T10:01:00.000Z  {"k":"a","t":"2026-07-04T10:00:30Z","v":3}
                    > LATE_UPDATE    3  2026-07-04T10:00:00.000Z, 2026-07-04T10:01:00.000Z  {"k":"a"}  {"sum":5}
                 7  -                         2026-07-04T10:02:00.000Z  {"@watermark":"2026-07-04T10:02:00Z"}
                 8  2026-07-04T10:00:30.000Z  2026-07-04T10:02:00.000Z  {"k":"a","t":"2026-07-04T10:00:30Z","v":4}
                    > too late          2026-07-04T10:00:00.000Z, 2026-07-04T10:01:00.000Z  {"k":"a"}
               end  -                         infinity
            """
                .lines()
                .toList()));
  }

  @Test
  void theSameStartGivesTheSameFilesAndNoOthers() throws Exception {
    for (String output : List.of("once", "again")) {
      SimulationFiles.in(folder.resolve(output), false).write(policy(), simulate());
    }

    assertThat(
        names(folder.resolve("once")),
        containsInAnyOrder("results.ndjson", "too-late.ndjson", "dead-letters.ndjson"));
    for (String name : names(folder.resolve("once"))) {
      String once = Files.readString(folder.resolve("once").resolve(name));
      assertThat(once, is(Files.readString(folder.resolve("again").resolve(name))));
    }
  }

  @Test
  void resultsAreComputedAtTheSimulatedTime() throws Exception {
    WindowResult early = simulate().get(2).results().get(0);

    assertThat(early.computedAt(), is(START.plus(Duration.standardSeconds(10))));
  }

  @Test
  void aDirectoryInUseIsLeftAloneUnlessToldOtherwise() throws Exception {
    Path mine = Files.writeString(folder.resolve("results.ndjson"), "mine");

    UsageException refused =
        assertThrows(UsageException.class, () -> SimulationFiles.in(folder, false));
    assertThat(refused.getMessage(), containsString("holds files"));
    assertThat(Files.readString(mine), is("mine"));

    SimulationFiles.in(folder, true).write(policy(), List.of());
    assertThat(Files.readString(mine), is(""));
  }

  @Test
  void aFileIsNoOutputDirectory() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "mine");

    UsageException refused =
        assertThrows(UsageException.class, () -> SimulationFiles.in(file, true));
    assertThat(refused.getMessage(), containsString("is not a directory"));
  }

  @Test
  void aFileThatCannotBeReadIsRefused() {
    String missing = folder.resolve("missing.ndjson").toString();

    UsageException refused =
        assertThrows(UsageException.class, () -> Simulation.of(policy(), missing, START));
    assertThat(refused.getMessage(), startsWith("--events=" + missing + ": cannot be read: "));
  }

  private List<Played> simulate() throws Exception {
    Path events = Files.write(folder.resolve("events.ndjson"), EVENTS);
    return Simulation.of(policy(), events.toString(), START).run();
  }

  private static Policy policy() throws PolicyException {
    return PolicyLoader.parse(POLICY, "policy.yaml");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
