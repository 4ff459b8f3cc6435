package dev.tidemark.runners.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.jobgraph.SavepointConfigOptions;

/**
 * The savepoint that a Flink in this process starts from. Beam's runner tells it to a cluster only,
 * and would start without state here. Flink's configuration has a setting for it, too.
 */
final class LocalSavepoint {
  private LocalSavepoint() {}

  /** Points the options at a copy of Flink's configuration that names the savepoint. */
  static void configure(FlinkPipelineOptions options) {
    String directory = options.getFlinkConfDir();
    Configuration configuration =
        directory == null
            ? GlobalConfiguration.loadConfiguration()
            : GlobalConfiguration.loadConfiguration(directory);
    configuration.set(SavepointConfigOptions.SAVEPOINT_PATH, options.getSavepointPath());
    configuration.set(
        SavepointConfigOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE,
        options.getAllowNonRestoredState());
    options.setFlinkConfDir(write(configuration.toMap()).toString());
  }

  private static Path write(Map<String, String> configuration) {
    try {
      Path directory = Files.createTempDirectory("flink-conf");
      Path file = directory.resolve(GlobalConfiguration.LEGACY_FLINK_CONF_FILENAME);
      directory.toFile().deleteOnExit(); // after the file, which is registered later
      file.toFile().deleteOnExit();
      return Files.writeString(
              file,
              configuration.entrySet().stream()
                  .map(setting -> setting.getKey() + ": " + setting.getValue() + "\n")
                  .collect(Collectors.joining()))
          .getParent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
