package dev.tidemark.runners.spark;

import dev.tidemark.options.DeadLetterFileOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.run.RunnerDefaults;
import java.util.Set;
import org.apache.beam.runners.spark.SparkRunner;
import org.apache.beam.sdk.options.PipelineOptions;

/** SparkRunner as a run wants it: over files, and without what it has no state for. */
public final class SparkDefaults implements RunnerDefaults {

  @Override
  public String runner() {
    return SparkRunner.class.getSimpleName();
  }

  @Override
  public void apply(PipelineOptions options, Set<String> given) throws UsageException {
    for (String unbounded : Set.of("topic", "topicPattern")) {
      if (given.contains(unbounded)) {
        throw new UsageException(
            "--" + unbounded + ": SparkRunner reads files only; allowed: --input");
      }
    }
    // Files fill in GroupIntoBatches, which asks for the expiration of windows.
    DeadLetterFileOptions files = options.as(DeadLetterFileOptions.class);
    if (given.contains("deadLetterRollBytes") && files.getDeadLetterRollBytes() != 0) {
      throw new UsageException(
          "--deadLetterRollBytes: on SparkRunner files do not roll; allowed: 0");
    }
    files.setDeadLetterRollBytes(0);
  }
}
