package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.Reason;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.joda.time.DateTimeZone;
import org.joda.time.Instant;

/**
 * Dead letters counted by reason and hour of arrival. Takes memory for the reasons and their hours,
 * however many dead letters there are.
 */
final class Tally {
  private final int samples;
  private final SortedMap<Reason, OfReason> reasons =
      new TreeMap<>(Comparator.comparing(Reason::name));

  /**
   * An empty tally.
   *
   * @param samples how many different messages to keep of a reason: the first ones
   */
  Tally(int samples) {
    this.samples = samples;
  }

  void add(DeadLetter deadLetter) {
    OfReason reason = reasons.computeIfAbsent(deadLetter.reason(), unused -> new OfReason(samples));
    reason.add(deadLetter.message(), deadLetter.raw().arrivedAt());
  }

  long records() {
    return reasons.values().stream().mapToLong(reason -> reason.all().records()).sum();
  }

  /** By the reasons' names. */
  Map<Reason, OfReason> reasons() {
    return reasons;
  }

  /** What was counted of one reason. */
  static final class OfReason {
    private final int maxSamples;
    private final Seen all = new Seen();
    private final SortedMap<Instant, Seen> hours = new TreeMap<>();
    private final Set<String> samples = new LinkedHashSet<>();

    private OfReason(int maxSamples) {
      this.maxSamples = maxSamples;
    }

    private void add(String message, Instant arrivedAt) {
      all.add(arrivedAt);
      hours.computeIfAbsent(hour(arrivedAt), unused -> new Seen()).add(arrivedAt);
      if (samples.size() < maxSamples) {
        samples.add(message);
      }
    }

    private static Instant hour(Instant time) {
      return time.toDateTime(DateTimeZone.UTC).hourOfDay().roundFloorCopy().toInstant();
    }

    Seen all() {
      return all;
    }

    /** By the start of each hour, in UTC. */
    SortedMap<Instant, Seen> hours() {
      return hours;
    }

    Set<String> samples() {
      return samples;
    }
  }

  /** How many dead letters arrived, and from when to when. */
  static final class Seen {
    private long records;
    private Instant first = Instant.ofEpochMilli(Long.MAX_VALUE);
    private Instant last = Instant.ofEpochMilli(Long.MIN_VALUE);

    private void add(Instant arrivedAt) {
      records++;
      first = arrivedAt.isBefore(first) ? arrivedAt : first;
      last = arrivedAt.isAfter(last) ? arrivedAt : last;
    }

    long records() {
      return records;
    }

    Instant first() {
      return first;
    }

    Instant last() {
      return last;
    }
  }
}
