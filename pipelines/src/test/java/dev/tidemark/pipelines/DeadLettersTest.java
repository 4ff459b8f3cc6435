package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.pipelines.Command.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The dead-letters command, as a user starts it. */
class DeadLettersTest {
  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void files() throws IOException {
    write(
        "out/dead-letters/reason=NOT_JSON/dt=2026-07-04/hr=10/a.ndjson",
        line(Reason.NOT_JSON, "2026-07-04T10:59:59.999Z", "malformed"),
        "{\"reason\":",
        line(Reason.NOT_JSON, "2026-07-04T11:00:00.000Z", "malformed"),
        line(Reason.NOT_JSON, "2026-07-04T10:00:00.000Z", "empty"));
    write("out/dead-letters/b.ndjson", line(Reason.BAD_KEY, "2026-07-04T10:30:00.000Z", "bad"));
    write("out/results/c.ndjson", "a result");
    write("out/severe/d.ndjson", line(Reason.BAD_KEY, "2026-07-04T10:30:00.000Z", "severe"));
    write("out/dead-letters/.hidden/e.ndjson", "not yet written");
    write("empty/notes.txt", "no dead letters");
  }

  @Test
  void aTableCountsByReasonAndHourOfArrival() throws Exception {
    Outcome outcome = run("--deadLetters=out");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.out().lines().toList(),
        contains(
            "reason    hour                      records  first seen                last seen",
            "BAD_KEY   2026-07-04T10:00:00.000Z        1  2026-07-04T10:30:00.000Z  2026-07-04T10:30:00.000Z",
            "BAD_KEY   all                             1  2026-07-04T10:30:00.000Z  2026-07-04T10:30:00.000Z",
            "NOT_JSON  2026-07-04T10:00:00.000Z        2  2026-07-04T10:00:00.000Z  2026-07-04T10:59:59.999Z",
            "NOT_JSON  2026-07-04T11:00:00.000Z        1  2026-07-04T11:00:00.000Z  2026-07-04T11:00:00.000Z",
            "NOT_JSON  all                             3  2026-07-04T10:00:00.000Z  2026-07-04T11:00:00.000Z",
            "",
            "BAD_KEY",
            "  bad",
            "",
            "NOT_JSON",
            "  malformed",
            "  empty",
            "",
            "4 dead letters in 2 files, 1 malformed lines"));
  }

  @Test
  void aLineThatIsNoDeadLetterIsNamedByFileAndLine() throws Exception {
    Outcome outcome = run("--deadLetters=out");
    Path file = directory.resolve("out/dead-letters/reason=NOT_JSON/dt=2026-07-04/hr=10/a.ndjson");
    assertThat(
        outcome.errLines(),
        contains("tidemark: " + file.toRealPath() + ":2: not one well-formed JSON object"));
  }

  @Test
  void jsonSaysTheSame() throws Exception {
    Outcome outcome =
        run("--deadLetters=out,out/severe", "--reason=BAD_KEY", "--samples=1", "--json");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.out(),
        is(
            """
            {"deadLetters":2,"files":3,"malformedLines":1,"reasons":[{"reason":"BAD_KEY",\
            "records":2,"firstSeen":"2026-07-04T10:30:00.000Z","lastSeen":"2026-07-04T10:30:00.000Z",\
            "hours":[{"hour":"2026-07-04T10:00:00.000Z",\
            "records":2,"firstSeen":"2026-07-04T10:30:00.000Z","lastSeen":"2026-07-04T10:30:00.000Z"}],\
            "samples":["bad"]}]}
            """));
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void wrongUsageIsRefusedInOneLine(String line, List<String> args) throws Exception {
    Outcome outcome = run(args.toArray(String[]::new));
    assertThat(outcome.errLines(), contains(startsWith("tidemark: " + line)));
    assertThat(outcome.exitCode(), is(2));
    assertThat(outcome.out(), is(""));
  }

  static Stream<Arguments> wrongUsage() {
    return Stream.of(
        refused("missing option --deadLetters; see tidemark dead-letters --help"),
        refused("unknown option --reasons; did you mean --reason?", "--reasons=x"),
        refused("--deadLetters=none: no .ndjson file below it", "--deadLetters=none"),
        refused("--deadLetters=empty: no .ndjson file below it", "--deadLetters=empty"),
        refused("--samples=-1: must be 0 or more", "--deadLetters=out", "--samples=-1"),
        refused(
            "--reason=NOT_JSN: not a reason; did you mean NOT_JSON?; allowed: TOMBSTONE, NOT_JSON, ",
            "--deadLetters=out",
            "--reason=NOT_JSN"));
  }

  private static Arguments refused(String line, String... args) {
    return Arguments.of(line, List.of(args));
  }

  private Outcome run(String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("dead-letters"));
    args.addAll(List.of(options));
    return Command.run(directory, args.toArray(String[]::new));
  }

  private static String line(Reason reason, String arrivedAt, String message) {
    RawRecord raw =
        new RawRecord(
            new byte[] {(byte) 0xFF},
            new Origin.FileLine("events.ndjson", 0, 1L),
            Instant.parse(arrivedAt));
    return DeadLetterJson.line(new DeadLetter(reason, message, null, raw, "m", "1", 1));
  }

  private void write(String name, String... lines) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
  }
}
