package dev.tidemark.pipelines.kafka;

import dev.tidemark.pipelines.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineVisitor;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.kafka.KafkaCheckpointMark;
import org.apache.beam.sdk.io.kafka.KafkaIO;
import org.apache.beam.sdk.io.kafka.KafkaRecord;
import org.apache.beam.sdk.options.ExperimentalOptions;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.kafka.common.TopicPartition;

/**
 * Topics as {@link KafkaIO} reads them: by the {@link UnboundedSource} that it has, on every
 * runner.
 *
 * @param input with topics, not a pattern
 * @param watermarks where the event times and watermarks come from
 */
record KafkaTopics(KafkaInput input, EventTimePolicies watermarks)
    implements GrowingSource.Topics<KafkaRecord<byte[], byte[]>> {
  private static final String UNBOUNDED_SOURCE = "use_deprecated_read";

  @Override
  public Map<String, Integer> sizes() throws UsageException {
    return KafkaCluster.partitions(input.consumer(), input.topics());
  }

  @Override
  public UnboundedSource<KafkaRecord<byte[], byte[]>, KafkaCheckpointMark> source(
      List<TopicPartition> partitions, TopicSizes sizes) {
    StartFrom start = input.startFrom();
    KafkaIO.Read<byte[], byte[]> read =
        read()
            .withTopicPartitions(partitions)
            .withConsumerFactoryFn(config -> new SourceConsumer(config, start, sizes))
            .withTimestampPolicyFactory(watermarks.factory());
    return unboundedSource(input.hasGroup() ? read.commitOffsetsInFinalize() : read);
  }

  @Override
  public UnboundedSource<KafkaRecord<byte[], byte[]>, KafkaCheckpointMark> whole() {
    return unboundedSource(read().withTopics(input.topics()));
  }

  private KafkaIO.Read<byte[], byte[]> read() {
    return KafkaIO.readBytes().withConsumerConfigUpdates(input.consumer());
  }

  /** What KafkaIO would read, looked up in a pipeline that is never run. */
  @SuppressWarnings("unchecked") // the only source in there is that of the given read
  private static UnboundedSource<KafkaRecord<byte[], byte[]>, KafkaCheckpointMark> unboundedSource(
      KafkaIO.Read<byte[], byte[]> read) {
    // With options given, it would set up the file systems of this process anew.
    Pipeline pipeline = Pipeline.create();
    ExperimentalOptions.addExperiment(
        pipeline.getOptions().as(ExperimentalOptions.class), UNBOUNDED_SOURCE);
    pipeline.apply("Read", read);
    List<UnboundedSource<?, ?>> sources = new ArrayList<>();
    pipeline.traverseTopologically(
        new PipelineVisitor.Defaults() {
          @Override
          public CompositeBehavior enterCompositeTransform(Node node) {
            if (node.getTransform() instanceof Read.Unbounded<?> unbounded) {
              sources.add(unbounded.getSource());
            }
            return CompositeBehavior.ENTER_TRANSFORM;
          }
        });
    return (UnboundedSource<KafkaRecord<byte[], byte[]>, KafkaCheckpointMark>) sources.get(0);
  }
}
