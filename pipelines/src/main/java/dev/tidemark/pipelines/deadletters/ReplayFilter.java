package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.Reason;
import dev.tidemark.pipelines.UsageException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters of a metric to replay.
 *
 * @param from arrived at this instant or later; null for any time
 * @param to arrived before this instant; null for any time
 */
record ReplayFilter(Set<Reason> reasons, @Nullable Instant from, @Nullable Instant to) {

  /**
   * The filter that the options state.
   *
   * @throws UsageException naming the option that is wrong
   */
  static ReplayFilter of(@Nullable List<String> reasons, @Nullable String from, @Nullable String to)
      throws UsageException {
    ReplayFilter filter =
        new ReplayFilter(Reasons.of(reasons), instant("--from", from), instant("--to", to));
    if (reasons != null && filter.reasons.contains(Reason.NOT_WRITTEN)) {
      throw new UsageException(
          "--reason=NOT_WRITTEN: those are results, which must not be counted as events; leave it"
              + " out");
    }
    if (filter.from != null && filter.to != null && !filter.from.isBefore(filter.to)) {
      throw new UsageException("--to=" + to + ": must be after --from=" + from);
    }
    return filter;
  }

  private static @Nullable Instant instant(String option, @Nullable String text)
      throws UsageException {
    try {
      return text == null
          ? null
          : Instant.ofEpochMilli(OffsetDateTime.parse(text).toInstant().toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      throw new UsageException(
          option + "=" + text + ": not an instant; write 2026-07-04T10:00:00Z");
    }
  }

  boolean takes(DeadLetter deadLetter) {
    Instant arrivedAt = deadLetter.raw().arrivedAt();
    return deadLetter.reason() != Reason.NOT_WRITTEN // a result, which must not count as an event
        && reasons.contains(deadLetter.reason())
        && (from == null || !arrivedAt.isBefore(from))
        && (to == null || arrivedAt.isBefore(to));
  }
}
