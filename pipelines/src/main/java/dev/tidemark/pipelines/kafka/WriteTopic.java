package dev.tidemark.pipelines.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.io.kafka.KafkaIO;
import org.apache.beam.sdk.io.kafka.ProducerRecordCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Appends elements to a topic, each as a record whose value is a line. A bundle that the runner
 * tries again is sent again; see {@link #exactlyOnce} for runners that can do better.
 *
 * @param <T> the elements
 */
final class WriteTopic<T> extends PTransform<PCollection<T>, PDone> {
  private final String topic;
  private final Map<String, Object> producer;
  private final SerializableFunction<T, String> key;
  private final SerializableFunction<T, String> line;
  private final SerializableFunction<T, Map<String, String>> headers;
  private final @Nullable String group;
  private final int shards;

  private WriteTopic(
      String topic,
      Map<String, Object> producer,
      SerializableFunction<T, String> key,
      SerializableFunction<T, String> line,
      SerializableFunction<T, Map<String, String>> headers,
      @Nullable String group,
      int shards) {
    this.topic = topic;
    this.producer = producer;
    this.key = key;
    this.line = line;
    this.headers = headers;
    this.group = group;
    this.shards = shards;
  }

  /**
   * Appends to a topic.
   *
   * @param producer the settings of Kafka's producer
   * @param key what the record is about: records of the same key keep to one partition
   * @param line an element as one line, without the line's end
   */
  static <T> WriteTopic<T> of(
      String topic,
      Map<String, Object> producer,
      SerializableFunction<T, String> key,
      SerializableFunction<T, String> line) {
    return new WriteTopic<>(topic, producer, key, line, element -> Map.of(), null, 0);
  }

  /** Records have headers, by name; not those of {@link #exactlyOnce}. */
  WriteTopic<T> withHeaders(SerializableFunction<T, Map<String, String>> headers) {
    return new WriteTopic<>(topic, producer, key, line, headers, group, shards);
  }

  /**
   * Each element is one record, however often the runner tries. Takes a runner that keeps the input
   * of a step stable, and what the step did with its state; see {@link
   * KafkaIO.WriteRecords#withEOS}. Beam's sink leaves headers out, and spreads records over its
   * writers: those of one key come in any order.
   *
   * @param group under which Kafka keeps how far the writer has come: of this step alone, and the
   *     same when its job is started again
   * @param shards how many writers share the topic, a transaction each; at most the topic's
   *     partitions, since each keeps its state as an offset of the partition of its number
   */
  WriteTopic<T> exactlyOnce(String group, int shards) {
    return new WriteTopic<>(topic, producer, key, line, headers, group, shards);
  }

  @Override
  public PDone expand(PCollection<T> elements) {
    return elements
        .apply("Format", ParDo.of(new FormatFn<>(topic, key, line, headers)))
        .setCoder(ProducerRecordCoder.of(ByteArrayCoder.of(), ByteArrayCoder.of()))
        .apply("Send", group == null ? sink() : exactlyOnceSink(group));
  }

  /** Beam shows the settings of its sink with the step, so those with secrets go another way. */
  private KafkaIO.WriteRecords<byte[], byte[]> sink() {
    Map<String, Object> security = ClientSettings.security(producer);
    Map<String, Object> shown = new HashMap<>(producer);
    shown.keySet().removeAll(security.keySet());
    return KafkaIO.<byte[], byte[]>writeRecords()
        .withTopic(topic)
        .withProducerConfigUpdates(shown)
        .withProducerFactoryFn(config -> new KafkaProducer<byte[], byte[]>(with(security, config)))
        .withKeySerializer(ByteArraySerializer.class)
        .withValueSerializer(ByteArraySerializer.class);
  }

  /** Beam's sink asks with a consumer how far it has come, which it does not give our settings. */
  private KafkaIO.WriteRecords<byte[], byte[]> exactlyOnceSink(String consumerGroup) {
    Map<String, Object> security = ClientSettings.security(producer);
    return sink()
        .withEOS(shards, consumerGroup)
        .withConsumerFactoryFn(config -> new KafkaConsumer<byte[], byte[]>(with(security, config)));
  }

  private static Map<String, Object> with(
      Map<String, Object> security, Map<String, Object> config) {
    Map<String, Object> all = new HashMap<>(config);
    all.putAll(security);
    return all;
  }

  /** An element as a record. */
  static final class FormatFn<T> extends DoFn<T, ProducerRecord<byte[], byte[]>> {
    private final String topic;
    private final SerializableFunction<T, String> key;
    private final SerializableFunction<T, String> line;
    private final SerializableFunction<T, Map<String, String>> headers;

    FormatFn(
        String topic,
        SerializableFunction<T, String> key,
        SerializableFunction<T, String> line,
        SerializableFunction<T, Map<String, String>> headers) {
      this.topic = topic;
      this.key = key;
      this.line = line;
      this.headers = headers;
    }

    @ProcessElement
    public void process(@Element T element, OutputReceiver<ProducerRecord<byte[], byte[]>> out) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(
              topic, KafkaRecords.utf8(key.apply(element)), KafkaRecords.utf8(line.apply(element)));
      headers
          .apply(element)
          .forEach((name, value) -> record.headers().add(name, KafkaRecords.utf8(value)));
      out.output(record);
    }
  }
}
