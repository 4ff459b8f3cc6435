package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.pipelines.Command.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong usage, policies and input: one line a problem, exit code 2, nothing written. */
class UsageTest {
  private static final String POLICY = "--policy=policy.yaml";
  private static final String INPUT = "--input=events.ndjson";
  private static final String CLUSTER = "--bootstrapServers=127.0.0.1:1";
  private static final String OUTPUT = "--output=out";

  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void files() throws Exception {
    Path policies = Path.of(System.getProperty("tidemark.root"), "testdata", "policies");
    Files.copy(policies.resolve("revenue-per-store.yaml"), directory.resolve("policy.yaml"));
    Files.writeString(directory.resolve("events.ndjson"), "{}\n");
    Files.writeString(directory.resolve("broken.yaml"), "metric: A B\nwindow: 5m\n");
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void wrongUsageIsRefusedInOneLineAndWritesNothing(String line, List<String> args)
      throws Exception {
    List<Path> before = everything();
    Outcome outcome = Command.run(directory, args.toArray(String[]::new));
    assertThat(outcome.errLines(), contains(startsWith("tidemark: " + line)));
    assertThat(outcome.exitCode(), is(2));
    assertThat(outcome.out(), is(""));
    assertThat(everything(), is(before));
  }

  static Stream<Arguments> wrongUsage() {
    return Stream.of(
        refused("a command is missing; see tidemark --help"),
        refused("unknown command rnu; did you mean run?", "rnu"),
        refused("unknown option --polcy; did you mean --policy?", "plan", "--polcy=policy.yaml"),
        refused("Missing required option: '--policy=FILE'", "plan"),
        refused("--keys: must be more than 0", "plan", POLICY, "--keys=0"),
        refused("unknown option --kesy; did you mean --keys?", "plan", POLICY, "--kesy=3"),
        refused(
            "missing option --input, or --bootstrapServers and --topic, or --subscription or",
            "run",
            POLICY,
            OUTPUT),
        refused("nothing says where results go; give --output, or topics of", "run", POLICY, INPUT),
        refused("missing option --bootstrapServers", run("--outputTopic=results")),
        refused(
            "the too-late events of revenue-per-store have no destination; give --output or its",
            "run",
            POLICY,
            INPUT,
            CLUSTER,
            "--outputTopic=results",
            "--deadLetterTopic=dead"),
        refused(
            "the dead letters of revenue-per-store have no destination; give --output or its topic",
            "run",
            POLICY,
            INPUT,
            CLUSTER,
            "--latestTopic=results",
            "--tooLateTopic=late"),
        refused(
            "--exactlyOnceGroup=job: DirectRunner cannot do that",
            "run",
            POLICY,
            INPUT,
            OUTPUT,
            CLUSTER,
            "--outputTopic=results",
            "--exactlyOnceGroup=job"),
        refused(
            "--producerConfig: transactional.id is not for you to set",
            "run",
            POLICY,
            INPUT,
            OUTPUT,
            CLUSTER,
            "--outputTopic=results",
            "--producerConfig=transactional.id=x"),
        refused("unknown option --inptu; did you mean --input?", "run", POLICY, "--inptu=x"),
        refused(
            "unknown option --targetParalelism; did you mean --targetParallelism?",
            run("--targetParalelism=4")),
        refused("--targetParallelism=many: ", run("--targetParallelism=many")),
        refused("--deadLetterRollBytes=-1: must be", run("--deadLetterRollBytes=-1")),
        refused("--deadLetterRollEvery=0s: must be", run("--deadLetterRollEvery=0s")),
        refused("--deadLetterRollEvery=often: must be", run("--deadLetterRollEvery=often")),
        refused("--maxDeadLetterRatio=2.0: must be", run("--maxDeadLetterRatio=2")),
        refused(
            "--deadLetterRatioOver=0: must be",
            "run",
            POLICY,
            INPUT,
            OUTPUT,
            "--maxDeadLetterRatio=0",
            "--deadLetterRatioOver=0"),
        refused(
            "--runner=Abacus: unknown; allowed: DirectRunner, FlinkRunner, SparkRunner,"
                + " DataflowRunner",
            run("--runner=Abacus")),
        refused("--detached: DirectRunner runs in this process", run("--detached")),
        refused("unexpected argument extra", "run", "extra", POLICY, INPUT, OUTPUT),
        refused(
            "--input=none-*.ndjson: no file matches",
            "run",
            POLICY,
            "--input=none-*.ndjson",
            OUTPUT),
        refused("--input=none: no file matches", "run", POLICY, "--input=none", OUTPUT),
        refused("none.yaml: ", "run", "--policy=none.yaml", INPUT, OUTPUT),
        refused(
            "policy.yaml: metric revenue-per-store is also that of another policy",
            "run",
            "--policy=policy.yaml,policy.yaml",
            INPUT,
            OUTPUT),
        refused(
            "--output=events.ndjson/out: cannot be written to",
            "run",
            POLICY,
            INPUT,
            "--output=events.ndjson/out"),
        refused("--output=.: holds files", "run", POLICY, INPUT, "--output=."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"run --input=events.ndjson --output=out --policy=", "plan --policy="})
  void everyProblemOfAPolicyHasItsLine(String command) throws Exception {
    Outcome outcome = Command.run(directory, (command + "broken.yaml").split(" "));
    assertThat(outcome.errLines(), everyItem(startsWith("tidemark: broken.yaml:")));
    assertThat(outcome.errLines().size(), is(greaterThan(1)));
    assertThat(outcome.exitCode(), is(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "run --help", "plan --help"})
  void helpGoesToStandardOutput(String command) throws Exception {
    Outcome outcome = Command.run(directory, command.split(" "));
    assertThat(outcome.out(), startsWith("Usage: tidemark"));
    assertThat(outcome.err(), is(""));
    assertThat(outcome.exitCode(), is(0));
  }

  @Test
  void theVersionIsThatOfTheBuild() throws Exception {
    Outcome outcome = Command.run(directory, "--version");
    assertThat(outcome.out(), matchesPattern("tidemark \\d+\\.\\d+\\.\\d+.*\\R"));
  }

  private static Arguments refused(String line, String... args) {
    return Arguments.of(line, List.of(args));
  }

  private static String[] run(String option) {
    return new String[] {"run", POLICY, INPUT, OUTPUT, option};
  }

  private List<Path> everything() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.sorted().toList();
    }
  }
}
