package dev.tidemark.pipelines.run;

import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.Destinations;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.DeadLetterRolling;
import dev.tidemark.pipelines.files.FileDestination;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.kafka.KafkaDestination;
import dev.tidemark.policy.Policy;
import java.util.ArrayList;
import java.util.List;

/** The destinations that the options choose. */
final class ChosenDestinations {
  private ChosenDestinations() {}

  /**
   * All that the options name.
   *
   * @param run a name that no other run has
   * @throws UsageException if an option is wrong, or something of a policy would go nowhere
   */
  static Destinations of(RunOptions options, List<Policy> policies, String run)
      throws UsageException {
    List<Destination> chosen = new ArrayList<>();
    // Files last: the others can be refused, and files delete what was there.
    KafkaDestination.of(options).ifPresent(chosen::add);
    for (Connector connector : Connector.all()) {
      connector.destination(options, policies).ifPresent(chosen::add);
    }
    if (options.getOutput() != null) {
      chosen.add(files(options, options.getOutput(), run));
    }
    if (chosen.isEmpty()) {
      throw new UsageException(
          "nothing says where results go; give --output, or topics of Kafka or Pub/Sub");
    }
    Destinations destinations = Destinations.of(chosen);
    List<String> missing = destinations.missing(policies);
    if (!missing.isEmpty()) {
      throw new UsageException(
          missing.stream().map(each -> each + "; give --output or its topic").toList());
    }
    return destinations;
  }

  private static FileDestination files(RunOptions options, String directory, String run)
      throws UsageException {
    return FileDestination.of(new OutputDirectory(directory), run)
        .overwriting(options.isOverwrite())
        .appending(RunnerDefaults.of(options).map(each -> each.replacesJob(options)).orElse(false))
        .rollingDeadLettersAt(DeadLetterRolling.of(options));
  }
}
