package dev.tidemark.pipelines.kafka;

import dev.tidemark.dlq.RecordParser;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.io.kafka.KafkaRecord;
import org.apache.beam.sdk.io.kafka.TimestampPolicy;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far event time has come in one partition, by the policies that read it.
 *
 * <p>Each record is parsed as the pipeline will parse it, so a dead letter, one stamped in the
 * future say, moves nothing. The watermark of a policy stays {@code maxOutOfOrderness} behind the
 * highest event time that it has seen. A partition that is known to be read to its end, and gave
 * the policy no event for {@code idleAfter}, follows the clock, also {@code maxOutOfOrderness}
 * behind. The clock is that of the last look at the partition's end: while the broker does not
 * answer, the watermark stands.
 *
 * <p>The partition's watermark is the least of its policies', and a record's timestamp the earliest
 * of the times that they read in it, so that no policy makes the events of another late. It never
 * passes the wall clock, and never goes back.
 */
final class EventTimePolicy extends TimestampPolicy<byte[], byte[]> {
  private final WallClock clock;
  private final List<Progress> policies;
  private volatile Instant watermark;
  private volatile Instant lastAsked;

  private EventTimePolicy(WallClock clock, List<Progress> policies, Instant watermark) {
    this.clock = clock;
    this.policies = policies;
    this.watermark = watermark;
    this.lastAsked = clock.now();
  }

  /**
   * For one partition.
   *
   * @param checkpointed the watermark to go on from, if the partition was read before
   * @param before what this process knew of the partition, under the same policies, before its
   *     reader was closed; null if it had none
   */
  static EventTimePolicy of(
      List<Policy> policies,
      WallClock clock,
      Optional<Instant> checkpointed,
      @Nullable EventTimePolicy before) {
    List<Progress> progress =
        before == null
            ? policies.stream().map(policy -> new Progress(policy, clock)).toList()
            : before.policies.stream().map(Progress::reopened).toList();
    return new EventTimePolicy(
        clock, progress, checkpointed.orElse(BoundedWindow.TIMESTAMP_MIN_VALUE));
  }

  /** The event time; of a record that no policy can use, the time of its arrival. */
  @Override
  public Instant getTimestampForRecord(
      PartitionContext context, KafkaRecord<byte[], byte[]> record) {
    Instant now = clock.now();
    RawRecord raw = KafkaRecords.raw(record, now);
    Instant earliest = null;
    for (Progress policy : policies) {
      Instant time = policy.see(raw, now);
      if (time != null && (earliest == null || time.isBefore(earliest))) {
        earliest = time;
      }
    }
    return earliest == null ? now : earliest;
  }

  @Override
  public Instant getWatermark(PartitionContext context) {
    Instant now = clock.now();
    lastAsked = now;
    Instant next = now;
    for (Progress policy : policies) {
      next = earlier(next, policy.watermark(context, now));
    }
    if (next.isAfter(watermark)) {
      watermark = next;
    }
    return watermark;
  }

  /** The watermark as last asked for. */
  Instant lastWatermark() {
    return watermark;
  }

  /** Whether no reader has asked for the watermark for as long. */
  boolean isUnaskedFor(Duration duration) {
    return !clock.now().isBefore(lastAsked.plus(duration));
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  /** What one policy has seen of the partition. */
  private static final class Progress {
    private final Policy policy;
    private final RecordParser parser;
    private Instant quietSince;
    private @Nullable Instant highest;

    Progress(Policy policy, WallClock clock) {
      this(policy, RecordParser.of(policy).withWallClock(clock), clock.now());
    }

    private Progress(Policy policy, RecordParser parser, Instant quietSince) {
      this.policy = policy;
      this.parser = parser;
      this.quietSince = quietSince;
    }

    /** As before its reader was closed, but that what it read then may come again. */
    Progress reopened() {
      return new Progress(policy, parser, quietSince);
    }

    /** The event's time; null of a dead letter. */
    @Nullable Instant see(RawRecord raw, Instant now) {
      if (!(parser.parse(raw) instanceof RecordParser.Parsed parsed)) {
        return null;
      }
      Instant time = parsed.event().timestamp();
      if (highest == null || time.isAfter(highest)) {
        highest = time;
      }
      quietSince = now;
      return time;
    }

    Instant watermark(PartitionContext partition, Instant now) {
      Instant looked = earlier(partition.getBacklogCheckTime(), now);
      Instant reached = highest == null ? BoundedWindow.TIMESTAMP_MIN_VALUE : highest;
      if (isIdle(partition, looked) && looked.isAfter(reached)) {
        reached = looked;
      }
      Duration behind = policy.watermark().maxOutOfOrderness();
      return reached.getMillis() - BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis()
              < behind.getMillis()
          ? BoundedWindow.TIMESTAMP_MIN_VALUE
          : reached.minus(behind);
    }

    private boolean isIdle(PartitionContext partition, Instant looked) {
      // Any other backlog may be events, and an unknown one too.
      return partition.getMessageBacklog() == 0
          && !looked.isBefore(quietSince.plus(policy.watermark().idleAfter()));
    }
  }
}
