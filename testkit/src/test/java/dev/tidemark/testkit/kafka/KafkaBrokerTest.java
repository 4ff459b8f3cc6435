package dev.tidemark.testkit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaBrokerTest {
  private static KafkaBroker broker;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.start();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Test
  void givesBackWhatWasProduced() {
    broker.createTopic("some", 2);

    broker.produce(List.of(record("some", 0, "a"), record("some", 1, "b"), record("some", 0, "c")));

    assertThat(values("some"), containsInAnyOrder("a", "b", "c"));
  }

  @Test
  void anEmptyTopicHasNoRecords() {
    broker.createTopic("empty", 1);

    assertThat(values("empty"), empty());
  }

  @Test
  void aNewPartitionTakesRecords() {
    broker.createTopic("growing", 1);

    broker.growTopic("growing", 2);
    broker.produce(List.of(record("growing", 1, "a")));

    assertThat(values("growing"), contains("a"));
  }

  @Test
  void keepsItsRecordsAndItsAddressOverARestart() {
    broker.createTopic("kept", 1);
    broker.produce(List.of(record("kept", 0, "before")));

    broker.stop();
    broker.restart();
    broker.produce(List.of(record("kept", 0, "after")));

    assertThat(values("kept"), contains("before", "after"));
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, int partition, String value) {
    return new ProducerRecord<>(topic, partition, null, value.getBytes(UTF_8));
  }

  private static List<String> values(String topic) {
    return broker.consumeAll(topic).stream().map(r -> new String(r.value(), UTF_8)).toList();
  }
}
