package dev.tidemark.benchmarks.flink;

import dev.tidemark.benchmarks.plain.Click;
import dev.tidemark.benchmarks.plain.Job;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Where the job that goes from a topic to a topic reads and writes. */
final class Topics {

  private Topics() {}

  /** All of a topic, each record parsed once, and a watermark for each partition. */
  static DataStream<Click> clicks(
      StreamExecutionEnvironment flink, Job job, String bootstrapServers, String topic) {
    return flink.fromSource(
        KafkaSource.<Click>builder()
            .setBootstrapServers(bootstrapServers)
            .setTopics(topic)
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setValueOnlyDeserializer(new ClickSchema(job))
            .build(),
        WatermarkStrategy.<Click>forBoundedOutOfOrderness(Job.BEHIND)
            .withTimestampAssigner((click, unused) -> click.time()),
        "Read clicks");
  }

  /** Lines as the values of a topic, each at least once. */
  static KafkaSink<String> lines(String bootstrapServers, String topic) {
    return KafkaSink.<String>builder()
        .setBootstrapServers(bootstrapServers)
        .setRecordSerializer(
            KafkaRecordSerializationSchema.<String>builder()
                .setTopic(topic)
                .setValueSerializationSchema(new SimpleStringSchema())
                .build())
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .build();
  }
}
