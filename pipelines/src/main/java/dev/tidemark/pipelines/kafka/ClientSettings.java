package dev.tidemark.pipelines.kafka;

import dev.tidemark.options.KafkaSinkOptions;
import dev.tidemark.pipelines.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/** Settings of a Kafka client as a user gives them. Their values may be secret. */
public final class ClientSettings {
  /** Names are Kafka's; what comes before another = is the path of a file. */
  private static final Pattern PAIR =
      Pattern.compile("\\s*([a-z0-9._-]+)\\s*=(.*)", Pattern.DOTALL);

  private static final List<String> SECURITY = List.of("security.", "sasl.", "ssl.");

  private ClientSettings() {}

  /**
   * The addresses of the cluster.
   *
   * @throws UsageException if none are given
   */
  static String bootstrapServers(KafkaSinkOptions options) throws UsageException {
    String servers = options.getBootstrapServers();
    if (servers == null) {
      throw new UsageException("missing option --bootstrapServers; see tidemark run --help");
    }
    return servers;
  }

  /**
   * Reads settings; of one that is given twice, the last counts.
   *
   * @param option that gave them, for messages
   * @param given each {@code name=value} with a name as Kafka has them, or the name of a properties
   *     file on any file system that Beam knows
   * @param ours what is not the user's to set
   * @throws UsageException naming the file that cannot be read, or the setting that is ours
   */
  static Map<String, Object> read(String option, @Nullable List<String> given, Set<String> ours)
      throws UsageException {
    Map<String, Object> settings = new TreeMap<>();
    for (String each : given == null ? List.<String>of() : given) {
      Matcher pair = PAIR.matcher(each);
      if (pair.matches()) {
        settings.put(pair.group(1), pair.group(2).strip());
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

  /**
   * The names of those whose values are secret and stand among the options. In a properties file
   * they do not.
   */
  public static List<String> openSecrets(@Nullable List<String> given) {
    return (given == null ? Stream.<String>of() : given.stream())
        .map(PAIR::matcher)
        .filter(Matcher::matches)
        .map(pair -> pair.group(1))
        .filter(ClientSettings::isSecret)
        .toList();
  }

  private static boolean isSecret(String name) {
    return Stream.of(ConsumerConfig.configDef(), ProducerConfig.configDef())
        .map(definition -> definition.configKeys().get(name))
        .anyMatch(key -> key != null && key.type == ConfigDef.Type.PASSWORD);
  }

  /** Those that say how to connect; a producer and a consumer have them in common. */
  static Map<String, Object> security(Map<String, Object> settings) {
    Map<String, Object> security = new HashMap<>(settings);
    security.keySet().removeIf(name -> SECURITY.stream().noneMatch(name::startsWith));
    return security;
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
