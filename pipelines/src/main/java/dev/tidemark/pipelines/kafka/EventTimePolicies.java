package dev.tidemark.pipelines.kafka;

import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import java.io.Serializable;
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
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * The policies that the watermarks of a source go by. Makes an {@link EventTimePolicy} for each
 * partition, and keeps it: a runner may close a reader and open it again at any time, which must
 * not make a quiet partition look busy.
 *
 * <p>So the end of a reader says nothing about its partitions. One that nobody asked about for
 * {@link #FORGOTTEN_AFTER} has gone to another process, or its run has ended, and is forgotten; if
 * it comes back, it begins to be quiet anew.
 */
final class EventTimePolicies implements Serializable {
  /** Longer than a reader stays closed, or a runner busy, before it is asked again. */
  static final Duration FORGOTTEN_AFTER = Duration.standardMinutes(10);

  /** By id: a runner makes copies of a source, which must not each know a part only. */
  private static final ConcurrentMap<String, InProcess> IN_PROCESS = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();
  private final WallClock clock;
  private List<Policy> policies;

  /** What all copies in a process know. Stays, with nothing in it, when a run has ended. */
  private static final class InProcess {
    private final ConcurrentMap<TopicPartition, EventTimePolicy> byPartition =
        new ConcurrentHashMap<>();
    private volatile List<Policy> policies = List.of();

    private void forget() {
      byPartition.values().removeIf(policy -> policy.isUnaskedFor(FORGOTTEN_AFTER));
    }
  }

  /**
   * @param policies those that read the partitions, one at least
   */
  EventTimePolicies(List<Policy> policies, WallClock clock) {
    this.policies = List.copyOf(policies);
    this.clock = clock;
  }

  /**
   * To be called before a reader is made. Goes by the policies of the job that runs from then on:
   * those that came with a source may be of the job whose checkpoint it was in.
   */
  void goBy(PipelineOptions options) {
    policies = PoliciesInForce.of(options).orElse(policies);
    inProcess(id).policies = policies;
  }

  /** For KafkaIO. Has no policies of its own, so that a checkpoint has them in one place. */
  TimestampPolicyFactory<byte[], byte[]> factory() {
    return new Factory(id, clock);
  }

  /** The least watermark of the partitions that this process reads. */
  Instant watermark() {
    InProcess known = inProcess(id);
    known.forget();
    return known.byPartition.values().stream()
        .map(EventTimePolicy::lastWatermark)
        .min(Comparator.naturalOrder())
        .orElse(BoundedWindow.TIMESTAMP_MIN_VALUE);
  }

  private static InProcess inProcess(String id) {
    return IN_PROCESS.computeIfAbsent(id, unused -> new InProcess());
  }

  private record Factory(String id, WallClock clock)
      implements TimestampPolicyFactory<byte[], byte[]> {
    @Override
    public TimestampPolicy<byte[], byte[]> createTimestampPolicy(
        TopicPartition partition, Optional<Instant> checkpointed) {
      InProcess known = inProcess(id);
      known.forget();
      return known.byPartition.compute(
          partition,
          (unused, before) -> EventTimePolicy.of(known.policies, clock, checkpointed, before));
    }
  }
}
