package dev.tidemark.pipelines.run;

import dev.tidemark.pipelines.UsageException;
import java.util.Set;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * What a runner is told where the user says nothing. A {@link java.util.ServiceLoader} finds it on
 * the runner's class path, which a module of its own puts together.
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
}
