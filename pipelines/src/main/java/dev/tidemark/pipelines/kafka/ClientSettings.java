package dev.tidemark.pipelines.kafka;

import dev.tidemark.pipelines.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
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
   * @param given each {@code name=value}, or the name of a properties file on any file system that
   *     Beam knows
   * @param ours what is not the user's to set
   * @throws UsageException naming the file that cannot be read, or the setting that is ours
   */
  static Map<String, Object> read(String option, @Nullable List<String> given, Set<String> ours)
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
    for (String name : settings.keySet()) {
      if (ours.contains(name)) {
        throw new UsageException(option + ": " + name + " is not for you to set; leave it out");
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
          "%s=%s: is neither name=value nor a readable properties file".formatted(option, file));
    }
    return properties;
  }
}
