package dev.tidemark.pipelines.kafka;

import dev.tidemark.pipelines.UsageException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Reads {@code --consumerConfig}: each a setting of Kafka's consumer as {@code name=value}, or a
 * properties file of them. A later one replaces an earlier one.
 */
final class ConsumerSettings {
  /** What the source decides itself. */
  private static final Set<String> OURS =
      Set.of(
          ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);

  private ConsumerSettings() {}

  static Map<String, Object> of(List<String> given) throws UsageException {
    Map<String, Object> settings = new HashMap<>();
    for (String one : given) {
      int equals = one.indexOf('=');
      if (equals > 0) {
        settings.put(one.substring(0, equals).strip(), one.substring(equals + 1).strip());
      } else {
        properties(one).forEach((name, value) -> settings.put(name.toString(), value));
      }
    }
    for (String name : settings.keySet()) {
      if (OURS.contains(name)) {
        throw new UsageException(
            "--consumerConfig: " + name + " is not for you to set; leave it out");
      }
    }
    return settings;
  }

  private static Properties properties(String file) throws UsageException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(file))) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException(
          "--consumerConfig=" + file + ": is neither name=value nor a readable properties file");
    }
    return properties;
  }
}
