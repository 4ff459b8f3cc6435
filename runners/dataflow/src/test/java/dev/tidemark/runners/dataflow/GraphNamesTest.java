package dev.tidemark.runners.dataflow;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.Command.Outcome;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The names of the steps, by which {@code --update} finds the state of a running job again. The
 * snapshot has a policy of each kind of window, with topics and files to write to.
 */
class GraphNamesTest {
  private static final Path ROOT = Path.of(System.getProperty("tidemark.root"));
  private static final Path SNAPSHOT = ROOT.resolve("runners/dataflow/graph-names.txt");
  private static final Path NOW = ROOT.resolve("runners/dataflow/target/graph-names.txt");

  private static final String WHAT_IT_MEANS =
      """
      The names of the steps have changed. A job that runs with the old ones can be updated to this \
      graph only with --transformNameMapping='{"OLD": "NEW", ...}' for each step that was renamed, \
      and "OLD": "" for each that is gone, whose state is then lost; say so in CHANGELOG.md and \
      docs/dataflow.md. If that is meant, renew the snapshot:
        cp %s %s
      """;

  @TempDir private Path directory;

  @Test
  void areThoseOfTheSnapshot() throws IOException {
    List<String> names = names();
    Files.write(NOW, names);
    assertThat(
        WHAT_IT_MEANS.formatted(ROOT.relativize(NOW), ROOT.relativize(SNAPSHOT)),
        names,
        is(Files.exists(SNAPSHOT) ? Files.readAllLines(SNAPSHOT) : List.of()));
  }

  private List<String> names() throws IOException {
    try (KafkaBroker broker = KafkaBroker.start();
        Launch launch = new Launch(directory)) {
      for (String topic : List.of("events", "results", "latest", "too-late", "dead-letters")) {
        broker.createTopic(topic, 1);
      }
      Outcome outcome =
          launch.command(
              "run",
              "--detached",
              "--policy=" + policies(),
              "--bootstrapServers=" + broker.bootstrapServers(),
              "--topic=events",
              "--outputTopic=results",
              "--latestTopic=latest",
              "--tooLateTopic=too-late",
              "--deadLetterTopic=dead-letters",
              "--output=gs://bucket/out");
      assertThat(outcome.err(), outcome.exitCode(), is(0));
      return launch.submitted().steps().stream().sorted().toList();
    }
  }

  private static String policies() {
    return Stream.of(
            "revenue-retracting", // fixed
            "latency-per-page", // sliding
            "visits-per-user", // sessions
            "payments-every-hundred", // global
            "escalations-per-business-day", // calendar, by a rule
            "escalations-per-reporting-period") // calendar, by a file
        .map(policy -> ROOT.resolve("testdata/policies").resolve(policy + ".yaml").toString())
        .collect(Collectors.joining(","));
  }
}
