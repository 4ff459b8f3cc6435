package dev.tidemark.demo;

import dev.tidemark.event.JsonFields;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Shows the results of a topic of one partition as they come. */
final class Panes implements Runnable {
  private final String servers;
  private final String topic;
  private final PrintWriter out;
  private volatile boolean complete;

  Panes(String servers, String topic, PrintWriter out) {
    this.servers = servers;
    this.topic = topic;
    this.out = out;
  }

  @Override
  public void run() {
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (!complete || isBehind(consumer, partitions.get(0))) {
        consumer.poll(Duration.ofMillis(200)).forEach(record -> show(record.value()));
      }
    }
  }

  /** Lets it end once it has shown all; the topic gets no more. */
  void endWithTheTopic() {
    complete = true;
  }

  private static boolean isBehind(Consumer<?, ?> consumer, TopicPartition partition) {
    return consumer.position(partition)
        < consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  private void show(byte[] line) {
    JsonFields result = JsonFields.of(new String(line, StandardCharsets.UTF_8));
    out.printf(
        "%s  %-11s %2d  %s  %s%n",
        result.text("windowStart").substring(11, 16),
        result.text("resultKind"),
        result.count("firingSequence"),
        result.values("key").get("store_id").asText(),
        result.values("value"));
    out.flush();
  }
}
