package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.pipelines.Command.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The replay command, as users start it, interrupt it and start it again. */
class ReplayTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HOUR = "run/dead-letters/reason=%s/dt=2026-07-04/hr=%s/%s.ndjson";
  private static final int MANY = 100;

  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void files() throws IOException {
    write(
        "policy.yaml",
        """
        metric: m
        version: "2"
        timestamp: /t
        key: {k: /k}
        window: {fixed: {size: 1h}}
        aggregates: {n: count}\
        """);
    write(
        "global.yaml",
        Files.readString(directory.resolve("policy.yaml"))
            .replace("fixed: {size: 1h}", "global: {}}\ntrigger: {early: {count: 1}"));
    write(
        HOUR.formatted("BAD_KEY", "10", "a"),
        line("m", Reason.BAD_KEY, 1, "10:00", event("a")),
        line("m", Reason.BAD_KEY, 1, "10:30", event("b")));
    write(
        HOUR.formatted("NOT_JSON", "11", "b"),
        line("m", Reason.NOT_JSON, 1, "11:00", "broken"),
        line("other", Reason.NOT_JSON, 1, "11:00", event("other")),
        line("m", Reason.NOT_JSON, 5, "11:59", "hopeless"));
    write("run/results/dt=2026-07-04/hr=10/c.ndjson", "a result of the run");
  }

  @Test
  void whatPassesIsLateForItsWindowAndWhatFailsGoesBackOrIsSevere() throws Exception {
    Outcome outcome = replay();
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.errLines(),
        contains(
            endsWith(
                ": 4 dead letters replayed: 2 passed, 2 failed (NOT_JSON 2), 1 of them severe")));
    assertThat(passed(), containsInAnyOrder("a 09:00", "b 09:00"));
    assertThat(lane("dead-letters"), contains("NOT_JSON broken 2 2026-07-04T11:00:00.000Z"));
    assertThat(lane("severe"), contains("NOT_JSON hopeless 6 2026-07-04T11:59:00.000Z"));
  }

  @Test
  void theSameAgainReplaysNothingMore() throws Exception {
    replay();
    List<Path> after = everything();
    Outcome again = replay();
    assertThat(again.err(), again.exitCode(), is(0));
    assertThat(
        again.errLines(),
        contains("m: 2 files are claimed by earlier replays", "m: nothing to replay"));
    assertThat(everything(), is(after));
    Outcome elsewhere =
        command("--deadLetters=run/dead-letters", "--policy=policy.yaml", "--output=elsewhere");
    assertThat(elsewhere.errLines(), hasItem("m: nothing to replay"));
    assertThat(everything(), is(after));
  }

  @Test
  void aReplayWhoseFilesOthersHaveAllClaimedIsDone() throws Exception {
    command("--deadLetters=run/dead-letters", "--policy=policy.yaml", "--output=first");
    String file = directory.resolve(HOUR.formatted("BAD_KEY", "10", "a")).toString();
    write(
        "out/replays/replay-late/plan.json",
        JSON.createObjectNode()
            .put("run", "replay-late")
            .put("metric", "m")
            .put("policyVersion", "2")
            .set("files", JSON.createArrayNode().add(file))
            .toString());
    Outcome outcome = replay();
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.errLines(),
        contains(
            "m: 2 files are claimed by earlier replays",
            "replay-late: other replays have claimed all of its files",
            "m: nothing to replay"));
    assertThat(passed(), is(empty()));
    assertThat(replay().errLines(), hasItem("m: nothing to replay"));
  }

  @Test
  void whatWentBackIsReplayedByAnotherReplay() throws Exception {
    replay();
    Outcome outcome =
        command("--deadLetters=out", "--policy=policy.yaml", "--output=out", "--maxAttempts=2");
    assertThat(outcome.errLines(), contains(containsString(": 1 dead letters replayed: 0 passed")));
    assertThat(
        lane("severe"),
        containsInAnyOrder(
            "NOT_JSON hopeless 6 2026-07-04T11:59:00.000Z",
            "NOT_JSON broken 3 2026-07-04T11:00:00.000Z"));
  }

  @Test
  void aDryRunSaysWhatWouldHappenAndWritesNothing() throws Exception {
    List<Path> before = everything();
    Outcome outcome = replay("--dryRun");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.errLines(),
        contains(
            "m: would replay 4 dead letters of 2 files: 2 would pass, 2 fail, 1 of them severe",
            "  NOT_JSON 2"));
    assertThat(everything(), is(before));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aFilterChoosesWholeFilesAndLeavesWhatItCutsThrough(
      List<String> options, List<String> passed, int left) throws Exception {
    Outcome outcome = replay(options.toArray(String[]::new));
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(passed(), containsInAnyOrder(passed.toArray()));
    assertThat(
        outcome.errLines().stream().filter(line -> line.contains("the file is left")).count(),
        is((long) left));
  }

  static Stream<Arguments> filters() {
    List<String> both = List.of("a 09:00", "b 09:00");
    return Stream.of(
        Arguments.of(List.of("--reason=BAD_KEY"), both, 0),
        Arguments.of(List.of("--reason=NOT_JSON"), List.of(), 0),
        Arguments.of(List.of("--from=2026-07-04T10:00:00Z", "--to=2026-07-04T11:00:00Z"), both, 0),
        Arguments.of(List.of("--from=2026-07-04T10:30:00Z"), List.of(), 1),
        Arguments.of(List.of("--to=2026-07-04T10:30:00Z"), List.of(), 1));
  }

  @Test
  void aFileWithALineThatIsNoDeadLetterIsLeft() throws Exception {
    Path file = directory.resolve(HOUR.formatted("NOT_JSON", "11", "b"));
    Files.writeString(file, Files.readString(file) + "{\"reason\":");
    Outcome outcome = replay();
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.errLines(),
        hasItem(file.toRealPath() + ":4: not one well-formed JSON object; the file is left"));
    assertThat(passed(), containsInAnyOrder("a 09:00", "b 09:00"));
    assertThat(lane("dead-letters"), is(empty()));
  }

  @Test
  void killedAtAnyPointAndFinishedItHasReplayedEachRecordOnce() throws Exception {
    for (int i = 0; i < MANY; i++) {
      broken(i);
    }
    for (String stage :
        List.of(
            "out/replays/[^.]*/plan.json",
            "run/.*\\.claim",
            "out/\\.replay-.*/too-late/.*",
            "out/\\.replay-.*/dead-letters/.*ndjson",
            "out/replays/.*/committed.json",
            "out/(too-late|dead-letters)/.*ndjson")) {
      killOnce(stage);
    }
    Outcome outcome = replay();
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertOnce(MANY);
  }

  @Test
  void killedAtThirtyRandomMomentsItHasReplayedEachRecordOnce() throws Exception {
    RandomKills.of(directory, args(), 20, this::broken, this::assertWhole);
    Outcome outcome = replay();
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertOnce(30);
  }

  @Test
  void twoAtTheSameTimeReplayEachRecordOnce() throws Exception {
    for (int i = 0; i < MANY; i++) {
      broken(i);
    }
    List<Process> running = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      running.add(
          Command.process(directory, args())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    }
    for (Process process : running) {
      assertThat(process.waitFor(), is(0));
    }
    assertOnce(MANY);
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void wrongUsageIsRefusedInOneLineAndWritesNothing(String line, List<String> args)
      throws Exception {
    List<Path> before = everything();
    Outcome outcome = command(args.toArray(String[]::new));
    assertThat(outcome.errLines(), contains(startsWith("tidemark: " + line)));
    assertThat(outcome.exitCode(), is(2));
    assertThat(everything(), is(before));
  }

  static Stream<Arguments> wrongUsage() {
    return Stream.of(
        refused("unknown option --form; did you mean --from?", "--form=x"),
        refused("--deadLetters=none: no .ndjson file below it", "--deadLetters=none"),
        refused("none.yaml: ", "--policy=none.yaml"),
        refused("--output=policy.yaml/out: cannot be written to", "--output=policy.yaml/out"),
        refused("the windows of m are global", "--policy=global.yaml"),
        refused("--deadLetterRollBytes=-1: must be 0 or more", "--deadLetterRollBytes=-1"),
        refused("--reason=x: not a reason", "--reason=x"),
        refused("--reason=NOT_WRITTEN: those are results", "--reason=NOT_JSON,NOT_WRITTEN"),
        refused("--from=today: not an instant; write 2026-07-04T10:00:00Z", "--from=today"),
        refused(
            "--to=2026-07-04T10:00:00Z: must be after --from=2026-07-04T10:00:00Z",
            "--from=2026-07-04T10:00:00Z",
            "--to=2026-07-04T10:00:00Z"),
        refused("--maxAttempts=0: must be 1 or more", "--maxAttempts=0"));
  }

  /** The options in place of those of the same name. */
  private static Arguments refused(String line, String... options) {
    List<String> args = new ArrayList<>(List.of(args()).subList(1, args().length));
    for (String option : options) {
      args.removeIf(arg -> arg.split("=", 2)[0].equals(option.split("=", 2)[0]));
      args.add(option);
    }
    return Arguments.of(line, args);
  }

  /** A file of two records, the one good and the other not. */
  private void broken(int i) throws IOException {
    write(
        HOUR.formatted("BAD_FIELD", "12", "f" + i),
        line("m", Reason.BAD_FIELD, 1, "12:00", event("k" + i)),
        line("m", Reason.BAD_FIELD, 1, "12:00", "broken" + i));
  }

  /** What is in its place is all there, or not yet, at any time. */
  private void assertWhole(int kill) throws IOException {
    assertThat(new HashSet<>(passed()).size(), is(passed().size()));
    assertThat(new HashSet<>(lane("dead-letters")).size(), is(lane("dead-letters").size()));
  }

  private void assertOnce(int files) throws IOException {
    List<String> passed = new ArrayList<>(List.of("a 09:00", "b 09:00"));
    List<String> failed = new ArrayList<>(List.of("NOT_JSON broken 2 2026-07-04T11:00:00.000Z"));
    IntStream.range(0, files)
        .forEach(
            i -> {
              passed.add("k" + i + " 09:00");
              failed.add("NOT_JSON broken" + i + " 2 2026-07-04T12:00:00.000Z");
            });
    assertThat(passed(), containsInAnyOrder(passed.toArray()));
    assertThat(lane("dead-letters"), containsInAnyOrder(failed.toArray()));
    assertThat(lane("severe"), contains("NOT_JSON hopeless 6 2026-07-04T11:59:00.000Z"));
    assertThat(
        everything().stream()
            .map(Path::toString)
            .filter(name -> name.contains("/.replay"))
            .toList(),
        is(empty()));
  }

  /** Kills the command with the first sight of a file of such a name. */
  private void killOnce(String name) throws Exception {
    Command.killWhen(
        Command.process(directory, args()),
        () -> everything().stream().anyMatch(path -> path.toString().matches(name)));
  }

  private Outcome replay(String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of(args()).subList(1, args().length));
    args.addAll(List.of(options));
    return command(args.toArray(String[]::new));
  }

  private static String[] args() {
    return new String[] {"replay", "--deadLetters=run", "--policy=policy.yaml", "--output=out"};
  }

  private Outcome command(String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("replay"));
    args.addAll(List.of(options));
    return Command.run(directory, args.toArray(String[]::new));
  }

  /** Each line of the too-late lane as key and start of its window. */
  private List<String> passed() throws IOException {
    return lines("too-late").stream()
        .map(
            late ->
                late.at("/key/k").textValue()
                    + " "
                    + late.get("windowStart").textValue().substring(11, 16))
        .toList();
  }

  /** Each dead letter as reason, record, attempts and arrival. */
  private List<String> lane(String lane) throws IOException {
    return lines(lane).stream()
        .map(
            dead ->
                "%s %s %d %s"
                    .formatted(
                        dead.get("reason").textValue(),
                        dead.get("raw").textValue(),
                        dead.get("attempts").intValue(),
                        dead.get("arrivedAt").textValue()))
        .toList();
  }

  private List<JsonNode> lines(String lane) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (Path path : everything()) {
      if (path.startsWith("out/" + lane) && path.toString().endsWith(".ndjson")) {
        for (String line : Files.readAllLines(directory.resolve(path))) {
          lines.add(JSON.readTree(line));
        }
      }
    }
    return lines;
  }

  private List<Path> everything() throws IOException {
    return Command.files(directory);
  }

  private static String event(String key) {
    return "{\"k\":\"%s\",\"t\":\"2026-07-04T09:00:00Z\"}".formatted(key);
  }

  private static String line(
      String metric, Reason reason, int attempts, String arrivedAt, String record) {
    RawRecord raw =
        new RawRecord(
            record.getBytes(StandardCharsets.UTF_8),
            new Origin.FileLine("events.ndjson", 0, 1L),
            Instant.parse("2026-07-04T" + arrivedAt + ":00Z"));
    return DeadLetterJson.line(
        new DeadLetter(reason, "as it was", null, raw, metric, "1", attempts));
  }

  private void write(String name, String... lines) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
  }
}
