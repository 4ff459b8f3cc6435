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
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.kafka.common.TopicPartition;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Makes an {@link EventTimePolicy} for each partition, and keeps it: a runner may close a reader
 * and open it again at any time, which must not make a quiet partition look busy.
 *
 * <p>So the end of a reader says nothing about its partitions. One that nobody asked about for
 * {@link #FORGOTTEN_AFTER} has gone to another process, or its run has ended, and is forgotten; if
 * it comes back, it begins to be quiet anew.
 */
final class EventTimePolicies implements TimestampPolicyFactory<byte[], byte[]> {
  /** Longer than a reader stays closed, or a runner busy, before it is asked again. */
  static final Duration FORGOTTEN_AFTER = Duration.standardMinutes(10);

  /** By id: a runner makes copies of a source, which must not each know a part only. */
  private static final ConcurrentMap<Key, EventTimePolicy> OF_PROCESS = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();
  private final List<Policy> policies;
  private final WallClock clock;

  private record Key(String id, TopicPartition partition) {}

  /**
   * @param policies those that read the partitions, one at least
   */
  EventTimePolicies(List<Policy> policies, WallClock clock) {
    this.policies = List.copyOf(policies);
    this.clock = clock;
  }

  @Override
  public TimestampPolicy<byte[], byte[]> createTimestampPolicy(
      TopicPartition partition, Optional<Instant> checkpointed) {
    forget();
    return OF_PROCESS.compute(
        new Key(id, partition),
        (unused, before) -> EventTimePolicy.of(policies, clock, checkpointed, before));
  }

  /** The least watermark of the partitions that this process reads. */
  Instant watermark() {
    forget();
    return OF_PROCESS.entrySet().stream()
        .filter(entry -> entry.getKey().id().equals(id))
        .map(entry -> entry.getValue().lastWatermark())
        .min(Comparator.naturalOrder())
        .orElse(BoundedWindow.TIMESTAMP_MIN_VALUE);
  }

  private static void forget() {
    OF_PROCESS.values().removeIf(policy -> policy.isUnaskedFor(FORGOTTEN_AFTER));
  }
}
