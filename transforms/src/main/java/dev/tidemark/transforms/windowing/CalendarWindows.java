package dev.tidemark.transforms.windowing;

import dev.tidemark.policy.Windowing;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Objects;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PartitioningWindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Civil days, weeks, months, quarters or years of a time zone, each starting at a local time of
 * day.
 *
 * <p>Windows follow the zone's clock changes, so a day has 23, 24 or 25 hours. A start that falls
 * into a gap of the clock moves forward by the length of the gap; one that comes twice is the first
 * of the two. Use Beam's {@code CalendarWindows} only where neither a start of day nor fiscal years
 * matter.
 */
public final class CalendarWindows extends PartitioningWindowFn<Object, IntervalWindow> {
  private final Windowing.Calendar calendar;

  /** Most events fall into the window of the event before. */
  private transient volatile @Nullable IntervalWindow latest;

  private CalendarWindows(Windowing.Calendar calendar) {
    this.calendar = calendar;
  }

  public static CalendarWindows of(Windowing.Calendar calendar) {
    return new CalendarWindows(calendar);
  }

  @Override
  public IntervalWindow assignWindow(Instant timestamp) {
    IntervalWindow candidate = latest;
    if (candidate == null || !contains(candidate, timestamp)) {
      candidate = find(timestamp);
      latest = candidate;
    }
    return candidate;
  }

  private static boolean contains(IntervalWindow window, Instant timestamp) {
    return !timestamp.isBefore(window.start()) && timestamp.isBefore(window.end());
  }

  private IntervalWindow find(Instant timestamp) {
    LocalDate date =
        java.time.Instant.ofEpochMilli(timestamp.getMillis()).atZone(calendar.zone()).toLocalDate();
    LocalDate first = firstDay(date);
    while (startOf(first).isAfter(timestamp)) {
      first = firstDay(first.minusDays(1));
    }
    LocalDate next = nextFirstDay(first);
    while (!startOf(next).isAfter(timestamp)) {
      first = next;
      next = nextFirstDay(first);
    }
    return new IntervalWindow(startOf(first), startOf(next));
  }

  private Instant startOf(LocalDate firstDay) {
    return Instant.ofEpochMilli(
        firstDay.atTime(calendar.startsAt()).atZone(calendar.zone()).toInstant().toEpochMilli());
  }

  private LocalDate firstDay(LocalDate date) {
    return switch (calendar.period()) {
      case DAY -> date;
      case WEEK -> date.with(TemporalAdjusters.previousOrSame(calendar.weekStartsOn()));
      case MONTH -> date.withDayOfMonth(1);
      case QUARTER -> date.withDayOfMonth(1).minusMonths(monthOfFiscalYear(date) % 3);
      case YEAR -> date.withDayOfMonth(1).minusMonths(monthOfFiscalYear(date));
    };
  }

  private int monthOfFiscalYear(LocalDate date) {
    return Math.floorMod(date.getMonthValue() - calendar.fiscalYearStartsIn().getValue(), 12);
  }

  private LocalDate nextFirstDay(LocalDate firstDay) {
    return switch (calendar.period()) {
      case DAY -> firstDay.plusDays(1);
      case WEEK -> firstDay.plusWeeks(1);
      case MONTH -> firstDay.plusMonths(1);
      case QUARTER -> firstDay.plus(3, ChronoUnit.MONTHS);
      case YEAR -> firstDay.plusYears(1);
    };
  }

  @Override
  public Coder<IntervalWindow> windowCoder() {
    return IntervalWindow.getCoder();
  }

  @Override
  @SuppressWarnings("deprecation") // WindowFn still asks for it
  public boolean isCompatible(WindowFn<?, ?> other) {
    return equals(other);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CalendarWindows that && calendar.equals(that.calendar);
  }

  @Override
  public int hashCode() {
    return Objects.hash(calendar);
  }
}
