package dev.tidemark.pipelines.plan;

import dev.tidemark.policy.Windowing;
import dev.tidemark.policy.Windowing.Period;
import dev.tidemark.policy.Windowing.ReportingCalendar;
import java.util.Map;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the windows of one key are and how often one starts. Calendar windows are taken at their
 * usual length; sessions at their gap, which is the shortest that one can be and so the most that
 * there can be.
 */
record WindowRate(Duration size, Duration every) {
  private static final Map<Period, Integer> USUAL_DAYS =
      Map.of(Period.DAY, 1, Period.WEEK, 7, Period.MONTH, 30, Period.QUARTER, 91, Period.YEAR, 365);

  /** The rate of a windowing; null for the global window, which never starts again. */
  static @Nullable WindowRate of(Windowing windowing) {
    if (windowing instanceof Windowing.Fixed fixed) {
      return endToEnd(fixed.size());
    }
    if (windowing instanceof Windowing.Sliding sliding) {
      return new WindowRate(sliding.size(), sliding.every());
    }
    if (windowing instanceof Windowing.Sessions sessions) {
      return endToEnd(sessions.gap());
    }
    if (windowing instanceof Windowing.Calendar calendar) {
      return endToEnd(Duration.standardDays(USUAL_DAYS.get(calendar.period())));
    }
    return windowing instanceof ReportingCalendar calendar ? endToEnd(meanPeriod(calendar)) : null;
  }

  /** In how many windows an event counts. */
  long windowsPerEvent() {
    return starts(size);
  }

  /** How many windows start within a duration, rounded up. */
  long starts(Duration duration) {
    return -Math.floorDiv(-duration.getMillis(), every.getMillis()); // negated, floor is ceiling
  }

  private static WindowRate endToEnd(Duration size) {
    return new WindowRate(size, size);
  }

  private static Duration meanPeriod(ReportingCalendar calendar) {
    double mean =
        calendar.periods().stream()
            .mapToLong(period -> period.end().getMillis() - period.start().getMillis())
            .average()
            .orElseThrow();
    return Duration.millis(Math.max(1, (long) mean));
  }
}
