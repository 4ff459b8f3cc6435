package dev.tidemark.demo;

import dev.tidemark.pipelines.generate.EventGenerator;
import dev.tidemark.pipelines.generate.EventKind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Payments of the last minutes, sent to a topic in the order in which they arrive but ten times as
 * fast: some late, some broken, some twice. They reach the present when the demo ends.
 */
final class Stream implements Runnable {
  static final int PARTITIONS = 2;
  private static final int SPEED = 10;
  private static final int EVENTS_PER_SECOND = SPEED; // the generator makes about one a second
  private static final int TWICE_ONE_IN = 40;

  private final String servers;
  private final String topic;
  private final int seconds;
  private final Instant began = Instant.now();
  private long sent;

  Stream(String servers, String topic, int seconds) {
    this.servers = servers;
    this.topic = topic;
    this.seconds = seconds;
  }

  @Override
  public void run() {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "linger.ms", 0),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      EventGenerator.of(EventKind.PAYMENTS, began.getMillis())
          .startingAt(first())
          .generate((long) EVENTS_PER_SECOND * seconds, (at, line) -> send(producer, at, line));
    } catch (IOException | InterruptException e) {
      // The demo is over.
    }
  }

  private Instant first() {
    return began.minus(Duration.standardSeconds((long) SPEED * seconds));
  }

  private void send(Producer<byte[], byte[]> producer, Instant at, String line) throws IOException {
    awaitArrival(at);
    byte[] value = line.getBytes(StandardCharsets.UTF_8);
    int partition = (int) (sent % PARTITIONS); // one that got nothing would hold the watermark
    int copies = sent % TWICE_ONE_IN == TWICE_ONE_IN - 1 ? 2 : 1;
    for (int copy = 0; copy < copies; copy++) {
      var unused = producer.send(new ProducerRecord<>(topic, partition, null, value));
    }
    sent++;
  }

  private void awaitArrival(Instant at) throws IOException {
    long sinceFirst = at.getMillis() - first().getMillis();
    long millis = began.getMillis() + sinceFirst / SPEED - Instant.now().getMillis();
    try {
      Thread.sleep(Math.max(0, millis)); // a live stream takes its time
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
