package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever the policy, another runner makes of files what DirectRunner makes of them: the same
 * standing results and the same dead letters. Which panes came before is a runner's own: those for
 * batches know none but the last.
 */
public abstract class SameAnswerContract {
  private static final Path POLICIES =
      Path.of(System.getProperty("tidemark.root"), "testdata", "policies");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final Set<String> OF_RESULT =
      Set.of("metric", "key", "windowStart", "windowEnd", "periodId", "value");
  private static final Set<String> OF_DEAD_LETTER =
      Set.of("reason", "message", "raw", "rawBase64", "metric", "attempts");

  private final List<String> runner;

  @TempDir private Path directory;

  /**
   * @param runner the options that choose the runner
   */
  protected SameAnswerContract(String... runner) {
    this.runner = List.of(runner);
  }

  @ParameterizedTest
  @CsvSource({
    "payments, revenue-per-store",
    "payments, revenue-retracting",
    "payments, payments-every-hundred",
    "clicks, latency-per-page",
    "clicks, visits-per-user",
    "escalations, escalations-per-business-day",
    "escalations, exposure-per-fiscal-quarter",
    "escalations, escalations-per-reporting-period",
    "telemetry, temperature-per-device",
    "telemetry-csv, temperature-per-device-csv",
  })
  void whatStandsAndWhatIsRefusedIsThatOfDirectRunner(String kind, String policy)
      throws IOException {
    int seed = new Random().nextInt(1_000_000);
    String events = directory.resolve("events").toString();
    String file = POLICIES.resolve(policy + ".yaml").toString();
    tidemark("generate", "--kind=" + kind, "--events=2000", "--seed=" + seed, "--output=" + events);

    Path direct = directory.resolve("direct");
    Path other = directory.resolve("other");
    run(file, events, direct, List.of("--runner=DirectRunner"));
    run(file, events, other, runner);

    String where = "with --seed=" + seed;
    assertThat(where, view(file, direct), is(not(empty())));
    assertThat(where, view(file, other), is(view(file, direct)));
    assertThat(where, deadLetters(other), is(deadLetters(direct)));
  }

  private static void run(String policy, String events, Path output, List<String> runner) {
    List<String> args = new ArrayList<>(List.of("run", "--policy=" + policy));
    args.addAll(List.of("--input=" + events, "--output=" + output));
    args.addAll(runner);
    tidemark(args.toArray(String[]::new));
  }

  private static Set<String> view(String policy, Path output) throws IOException {
    return only(OF_RESULT, tidemark("latest", "--results=" + output, "--policy=" + policy).lines());
  }

  private static Set<String> deadLetters(Path output) throws IOException {
    Set<String> deadLetters = new TreeSet<>();
    Path lane = output.resolve("dead-letters");
    for (Path file : Command.files(lane)) {
      deadLetters.addAll(only(OF_DEAD_LETTER, Files.readAllLines(lane.resolve(file)).stream()));
    }
    return deadLetters;
  }

  private static Set<String> only(Set<String> fields, Stream<String> lines) throws IOException {
    Set<String> only = new TreeSet<>();
    for (String line : lines.toList()) {
      JsonNode json = JSON.readTree(line);
      only.add(((ObjectNode) json).retain(fields).toString());
    }
    return only;
  }

  /** What the command prints. */
  private static String tidemark(String... args) {
    Command.Outcome outcome = Command.runHere(args);
    assertThat(List.of(args) + outcome.err(), outcome.exitCode(), is(0));
    return outcome.out();
  }
}
