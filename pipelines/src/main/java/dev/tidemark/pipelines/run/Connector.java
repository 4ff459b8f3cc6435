package dev.tidemark.pipelines.run;

import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Systems that a run reads from or writes to, besides files and Kafka. A {@link ServiceLoader}
 * finds them on the class path, which a module of its own puts together. The module registers their
 * options with Beam.
 */
public interface Connector {

  /**
   * Where the options say to read from; empty if they say nothing of these systems.
   *
   * @throws UsageException naming each option that is wrong
   */
  Optional<Source> source(RunOptions options, List<Policy> policies) throws UsageException;

  /**
   * Where the options say to write to; empty if they say nothing of these systems.
   *
   * @throws UsageException naming each option that is wrong
   */
  Optional<? extends Destination> destination(RunOptions options, List<Policy> policies)
      throws UsageException;

  /** Those on the class path. */
  static List<Connector> all() {
    return ServiceLoader.load(Connector.class).stream().map(ServiceLoader.Provider::get).toList();
  }
}
