package dev.tidemark.options;

import java.util.List;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.jspecify.annotations.Nullable;

/** Which topics a pipeline writes to, and how. */
public interface KafkaSinkOptions extends PipelineOptions {

  @Description("Addresses of the Kafka cluster, HOST:PORT, of all topics that are given.")
  @Nullable String getBootstrapServers();

  void setBootstrapServers(@Nullable String servers);

  @Description("Kafka topic that every result is appended to.")
  @Nullable String getOutputTopic();

  void setOutputTopic(@Nullable String topic);

  @Description(
      "Compacted Kafka topic that keeps the newest result of each key and window. Use it with"
          + " policies whose panes replace each other: not with accumulation discarding.")
  @Nullable String getLatestTopic();

  void setLatestTopic(@Nullable String topic);

  @Description("Kafka topic for events that came too late.")
  @Nullable String getTooLateTopic();

  void setTooLateTopic(@Nullable String topic);

  @Description("Kafka topic for dead letters.")
  @Nullable String getDeadLetterTopic();

  void setDeadLetterTopic(@Nullable String topic);

  @Description(
      "Settings of Kafka's producer: NAME=VALUE, or properties files. Security goes in here.")
  @Nullable List<String> getProducerConfig();

  void setProducerConfig(@Nullable List<String> settings);

  @Description(
      "Append each record exactly once (DataflowRunner only). A name for the job, the same whenever"
          + " it is started again and that of no other job.")
  @Nullable String getExactlyOnceGroup();

  void setExactlyOnceGroup(@Nullable String group);
}
