package dev.tidemark.pipelines.kafka;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The consumer behind Beam's source.
 *
 * <p>Begins where it is told to, and not at the offsets that its group has committed: a group is
 * also there to watch how far a run has come. Beam seeks further by itself, where it has a
 * checkpoint.
 *
 * <p>Tells how many partitions the topics have. Beam asks a consumer for the partitions' ends once
 * a second, on a thread of its own, which may wait for the broker while records are read. The
 * number of the partitions is known to the consumer by then, as of {@code metadata.max.age.ms} ago.
 */
final class SourceConsumer extends KafkaConsumer<byte[], byte[]> {
  private final StartFrom start;
  private final TopicSizes sizes;

  /**
   * @param sizes where it puts how many partitions each topic has
   */
  SourceConsumer(Map<String, Object> config, StartFrom start, TopicSizes sizes) {
    super(config);
    this.start = start;
    this.sizes = sizes;
  }

  @Override
  public void assign(Collection<TopicPartition> partitions) {
    super.assign(partitions);
    start.seek(this, partitions);
  }

  @Override
  public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> ends = super.endOffsets(partitions);
    partitions.stream()
        .map(TopicPartition::topic)
        .distinct()
        .forEach(topic -> sizes.put(topic, partitionsFor(topic).size()));
    return ends;
  }
}
