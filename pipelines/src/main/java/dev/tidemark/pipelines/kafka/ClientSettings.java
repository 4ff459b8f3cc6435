package dev.tidemark.pipelines.kafka;

import dev.tidemark.pipelines.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.beam.sdk.io.FileSystems;
import org.jspecify.annotations.Nullable;

/** Settings of a Kafka client as a user gives them. Their values may be secret. */
final class ClientSettings {
  private ClientSettings() {}

  /**
   * Reads settings; of one that is given twice, the last counts.
   *
   * @param option that gave them, for messages
   * @param given each {@code NAME=VALUE}, or the name of a properties file on any file system that
   *     Beam knows
   * @throws UsageException naming the file that cannot be read
   */
  static Map<String, Object> read(String option, @Nullable List<String> given)
      throws UsageException {
    Map<String, Object> settings = new TreeMap<>();
    for (String each : given == null ? List.<String>of() : given) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        settings.put(each.substring(0, equals).strip(), each.substring(equals + 1).strip());
      } else {
        properties(option, each).forEach((name, value) -> settings.put(name.toString(), value));
      }
    }
    return settings;
  }

  private static Properties properties(String option, String file) throws UsageException {
    Properties properties = new Properties();
    try (InputStream in =
        Channels.newInputStream(FileSystems.open(FileSystems.matchNewResource(file, false)))) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException(
          "%s=%s: neither NAME=VALUE nor a properties file that can be read"
              .formatted(option, file));
    }
    return properties;
  }
}
