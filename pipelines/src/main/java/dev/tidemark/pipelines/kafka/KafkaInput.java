package dev.tidemark.pipelines.kafka;

import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Which topics of which cluster to read, from where, and how to connect.
 *
 * @param topics none where there is a pattern
 * @param topicPattern matches whole names; null where there are topics
 * @param consumer Kafka's own settings, with the cluster's address
 */
record KafkaInput(
    List<String> topics,
    @Nullable Pattern topicPattern,
    Map<String, Object> consumer,
    StartFrom startFrom)
    implements Serializable {

  /** What the source decides itself. */
  private static final Set<String> OURS =
      Set.of(
          ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);

  private static final int METADATA_MAX_AGE_MILLIS = 10_000;

  /**
   * What the options say.
   *
   * @throws UsageException naming each option that is missing or wrong
   */
  static KafkaInput of(RunOptions options) throws UsageException {
    List<String> topics = options.getTopic() == null ? List.of() : options.getTopic();
    String pattern = options.getTopicPattern();
    if (!topics.isEmpty() && pattern != null) {
      throw new UsageException("--topic and --topicPattern are given; give one of them");
    }
    String servers = ClientSettings.bootstrapServers(options);
    StartFrom startFrom = StartFrom.parse(options.getStartFrom());
    Map<String, Object> consumer =
        ClientSettings.read("--consumerConfig", options.getConsumerConfig(), OURS);
    if (startFrom instanceof StartFrom.Committed
        && !consumer.containsKey(ConsumerConfig.GROUP_ID_CONFIG)) {
      throw new UsageException(
          "--startFrom=committed: needs --consumerConfig=group.id=NAME, whose offsets they are");
    }
    consumer.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    // A partition that the group has no offset of is new: what it holds has not been read.
    consumer.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    // How soon the source hears of a partition that is added.
    consumer.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MAX_AGE_MILLIS);
    return new KafkaInput(topics, compiled(pattern), consumer, startFrom);
  }

  private static @Nullable Pattern compiled(@Nullable String pattern) throws UsageException {
    try {
      return pattern == null ? null : Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new UsageException(
          "--topicPattern=" + pattern + ": is not a regular expression: " + e.getDescription());
    }
  }

  /** Whether the offsets that have been read are committed to a group. */
  boolean hasGroup() {
    return consumer.containsKey(ConsumerConfig.GROUP_ID_CONFIG);
  }

  /** The same, of these topics alone. */
  KafkaInput ofTopics(List<String> names) {
    return new KafkaInput(names, null, consumer, startFrom);
  }

  /** The topics, of those that there are, that are read. */
  List<String> chosen(Iterable<String> existing) {
    List<String> chosen = new ArrayList<>();
    for (String topic : existing) {
      if (topicPattern == null ? topics.contains(topic) : topicPattern.matcher(topic).matches()) {
        chosen.add(topic);
      }
    }
    return chosen;
  }
}
