package dev.tidemark.benchmarks.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * What an engine has written to a topic of one partition so far. Of the lines of a key and window
 * the newest stands.
 */
final class OutputTopic implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Consumer<String, String> consumer;
  private final UnaryOperator<String> line;
  private final Map<String, String> standing = new HashMap<>();
  private int right;
  private int results;
  private long lastRead = System.nanoTime();

  /**
   * Over a consumer of no topic yet.
   *
   * @param line of the answer, from the value of a record
   */
  OutputTopic(Consumer<String, String> consumer, String topic, UnaryOperator<String> line) {
    this.consumer = consumer;
    this.line = line;
    consumer.assign(List.of(new TopicPartition(topic, 0)));
  }

  /** A topic from its beginning. */
  static OutputTopic of(String bootstrapServers, String topic, UnaryOperator<String> line) {
    return new OutputTopic(
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new StringDeserializer()),
        topic,
        line);
  }

  /**
   * Reads what has come since, and tells whether all of an answer stands, or nothing comes any more
   * for two minutes. The answer must be the same each time.
   */
  boolean isDone(Set<String> answer) {
    ConsumerRecords<String, String> records = consumer.poll(POLL);
    while (!records.isEmpty()) {
      records.forEach(record -> take(line.apply(record.value()), answer));
      lastRead = System.nanoTime();
      records = consumer.poll(POLL);
    }
    return right == answer.size() || System.nanoTime() - lastRead > PATIENCE.toNanos();
  }

  private void take(String newest, Set<String> answer) {
    results++;
    String replaced = standing.put(keyAndWindow(newest), newest);
    if (replaced != null && answer.contains(replaced)) {
      right--;
    }
    if (answer.contains(newest)) {
      right++;
    }
  }

  private static String keyAndWindow(String line) {
    int start = line.indexOf(',') + 1;
    int end = line.indexOf(',', start) + 1;
    return line.substring(0, line.indexOf(',', end));
  }

  /** The lines that stand, in any order. */
  List<String> lines() {
    return new ArrayList<>(standing.values());
  }

  /** How many lines have been read, those that were replaced too. */
  int results() {
    return results;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
