package dev.tidemark.pipelines.run;

import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * What a runner is told where the user says nothing, and what it cannot do. A {@link
 * java.util.ServiceLoader} finds it on the runner's class path, which a module of its own puts
 * together.
 */
public interface RunnerDefaults {

  /** The simple name of the runner's class. */
  String runner();

  /**
   * Sets options that the user did not.
   *
   * @param given the names of those that the user did set
   * @throws UsageException if the runner cannot run with what the user set
   */
  void apply(PipelineOptions options, Set<String> given) throws UsageException;

  /**
   * Whether a pipeline runs on when the process that started it ends, so that it may be detached.
   */
  default boolean outlivesCommand(PipelineOptions options) {
    return false;
  }

  /**
   * Looks whether a run can begin where the options say, before anything is written or started.
   *
   * @param policies by the files that they are from
   * @throws UsageException if the policies do not go with the state that the run would begin with
   */
  default void checkStart(PipelineOptions options, Map<String, Policy> policies)
      throws UsageException {}

  /** Whether the run takes over from one that still writes to the same place. */
  default boolean replacesJob(PipelineOptions options) {
    return false;
  }

  /** What a user needs to find the pipeline again; empty if it is in the command's process. */
  default Optional<String> whereabouts(PipelineResult running, PipelineOptions options) {
    return Optional.empty();
  }

  /** The defaults of the runner that the options choose; empty if it has none. */
  static Optional<RunnerDefaults> of(PipelineOptions options) {
    String runner = options.getRunner().getSimpleName();
    return ServiceLoader.load(RunnerDefaults.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(defaults -> defaults.runner().equals(runner))
        .findFirst();
  }
}
