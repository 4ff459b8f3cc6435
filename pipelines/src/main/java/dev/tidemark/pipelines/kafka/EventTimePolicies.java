package dev.tidemark.pipelines.kafka;

import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.beam.sdk.io.kafka.TimestampPolicy;
import org.apache.beam.sdk.io.kafka.TimestampPolicyFactory;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.kafka.common.TopicPartition;
import org.joda.time.Instant;

/**
 * Makes an {@link EventTimePolicy} for each partition, and keeps it: a runner may close a reader
 * and open it again at any time, which must not make a quiet partition look busy.
 */
final class EventTimePolicies implements TimestampPolicyFactory<byte[], byte[]> {
  /** By id: a runner makes copies of a source, which must not each know a part only. */
  private static final ConcurrentMap<String, ConcurrentMap<TopicPartition, EventTimePolicy>>
      OF_PROCESS = new ConcurrentHashMap<>();

  private static final long serialVersionUID = 1;

  private final String id = UUID.randomUUID().toString();
  private final WallClock clock;
  private List<Policy> policies;

  /**
   * @param policies those that read the partitions, one at least
   */
  EventTimePolicies(List<Policy> policies, WallClock clock) {
    this.policies = List.copyOf(policies);
    this.clock = clock;
  }

  /**
   * Goes by the policies of the job that reads now, which the source of a checkpoint does not have:
   * a runner may have taken it from a job with others. Before a reader is made.
   */
  void goBy(PipelineOptions options) {
    policies = PoliciesInForce.of(options).orElse(policies);
  }

  @Override
  public TimestampPolicy<byte[], byte[]> createTimestampPolicy(
      TopicPartition partition, Optional<Instant> checkpointed) {
    return byPartition()
        .compute(
            partition,
            (unused, before) -> EventTimePolicy.of(policies, clock, checkpointed, before));
  }

  /** The least watermark of the partitions that this process reads. */
  Instant watermark() {
    return byPartition().values().stream()
        .map(EventTimePolicy::lastWatermark)
        .min(Comparator.naturalOrder())
        .orElse(BoundedWindow.TIMESTAMP_MIN_VALUE);
  }

  private ConcurrentMap<TopicPartition, EventTimePolicy> byPartition() {
    return OF_PROCESS.computeIfAbsent(id, unused -> new ConcurrentHashMap<>());
  }
}
