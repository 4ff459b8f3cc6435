package dev.tidemark.policy;

import java.io.Serializable;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.List;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/** The shape of the windows that a policy assigns events to. */
public sealed interface Windowing extends Serializable {

  /** Windows of one size, end to end, starting at the epoch plus the offset. */
  record Fixed(Duration size, Duration offset) implements Windowing {}

  /** Windows of one size that start every so often, so that they overlap. */
  record Sliding(Duration size, Duration every, Duration offset) implements Windowing {}

  /**
   * Per key, events less than {@code gap} apart.
   *
   * @param maxDuration the longest that a session may become; null for no bound
   */
  record Sessions(Duration gap, @Nullable Duration maxDuration) implements Windowing {}

  /** One window without an end. */
  record Global() implements Windowing {}

  /**
   * Civil periods in a time zone, following its clock changes: a day may have 23 or 25 hours.
   *
   * @param startsAt the local time at which each period's first day starts
   * @param weekStartsOn for {@link Period#WEEK}
   * @param fiscalYearStartsIn for {@link Period#QUARTER} and {@link Period#YEAR}
   */
  record Calendar(
      Period period,
      ZoneId zone,
      LocalTime startsAt,
      DayOfWeek weekStartsOn,
      Month fiscalYearStartsIn)
      implements Windowing {}

  /**
   * The periods of a versioned reporting calendar.
   *
   * @param file where the calendar was read from
   * @param periods the rows of the one calendar version in force, by start, without overlaps
   */
  record ReportingCalendar(String file, List<ReportingPeriod> periods) implements Windowing {
    public ReportingCalendar {
      periods = List.copyOf(periods);
    }
  }

  /** The length of a calendar window. */
  enum Period {
    DAY,
    WEEK,
    MONTH,
    QUARTER,
    YEAR
  }
}
