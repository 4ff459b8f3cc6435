package dev.tidemark.demo;

import dev.tidemark.pipelines.TidemarkCommand;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark demo}: a live stream, from a topic to topics, on a broker of its own. */
@Command(
    name = "demo",
    description = {
      "Start a Kafka broker, send payments to it, some late, some broken and some twice, aggregate"
          + " them, and show the results as they come. It leaves nothing behind."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final String IN = "payments";
  private static final String RESULTS = "results";
  private static final String LATEST = "latest";
  private static final String TOO_LATE = "too-late";
  private static final String DEAD_LETTERS = "dead-letters";

  /** Held, since loggers that nobody holds forget their level. */
  private static final List<Logger> OF_BROKER =
      List.of(
          Logger.getLogger("kafka"),
          Logger.getLogger("org.apache.kafka"),
          Logger.getLogger("state.change.logger"));

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "How long the stream lasts. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  /** The command with all its subcommands, and this one. */
  public static void main(String[] args) {
    TidemarkCommand.run(TidemarkCommand.commandLine(new DemoCommand()), args);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine command = Objects.requireNonNull(spec, "picocli sets it").commandLine();
    if (seconds <= 0) {
      throw new ParameterException(command, "--seconds: must be more than 0");
    }
    OF_BROKER.forEach(logger -> logger.setLevel(Level.OFF)); // it warns as it starts and stops
    System.setProperty("tidemark.terminal", "false"); // the panes come between
    Path policy = policy();
    try (KafkaBroker broker = KafkaBroker.start()) {
      createTopics(broker);
      return play(broker.bootstrapServers(), policy, command);
    } finally {
      Files.delete(policy);
    }
  }

  private static Path policy() throws IOException {
    Path policy = Files.createTempFile("tidemark", ".yaml");
    try (InputStream in =
        Objects.requireNonNull(DemoCommand.class.getResourceAsStream("policy.yaml"))) {
      Files.copy(in, policy, StandardCopyOption.REPLACE_EXISTING);
    }
    return policy;
  }

  private static void createTopics(KafkaBroker broker) {
    broker.createTopic(IN, Stream.PARTITIONS);
    broker.createTopic(LATEST, 1, Map.of("cleanup.policy", "compact"));
    for (String topic : List.of(RESULTS, TOO_LATE, DEAD_LETTERS)) {
      broker.createTopic(topic, 1);
    }
  }

  private int play(String servers, Path policy, CommandLine command) throws InterruptedException {
    Thread stream = new Thread(new Stream(servers, IN, seconds), "stream");
    Panes panes = new Panes(servers, RESULTS, command.getOut());
    Thread showing = new Thread(panes, "panes");
    stream.start();
    showing.start();
    try {
      return TidemarkCommand.commandLine()
          .setOut(command.getOut())
          .setErr(command.getErr())
          .execute(
              "run",
              "--policy=" + policy,
              "--bootstrapServers=" + servers,
              "--topic=" + IN,
              "--outputTopic=" + RESULTS,
              "--latestTopic=" + LATEST,
              "--tooLateTopic=" + TOO_LATE,
              "--deadLetterTopic=" + DEAD_LETTERS,
              "--stopAfter=" + seconds + "s");
    } finally {
      stream.interrupt();
      panes.endWithTheTopic();
      stream.join();
      showing.join();
    }
  }
}
