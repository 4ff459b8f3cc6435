package dev.tidemark.pipelines.kafka;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Begins where it is told to, and not at the offsets that its group has committed: a group is also
 * there to watch how far a run has come. Beam seeks further by itself, where it has a checkpoint.
 */
final class StartingConsumer extends KafkaConsumer<byte[], byte[]> {
  private final StartFrom start;

  StartingConsumer(Map<String, Object> config, StartFrom start) {
    super(config);
    this.start = start;
  }

  @Override
  public void assign(Collection<TopicPartition> partitions) {
    super.assign(partitions);
    start.seek(this, partitions);
  }
}
