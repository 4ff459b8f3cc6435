package dev.tidemark.testkit;

import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.Windowing;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which windows an event falls into, and how sessions merge, as plainly as the definitions allow.
 * The yardstick of the reference model; pipelines use Beam's windowing instead.
 */
public final class ReferenceWindows {
  private ReferenceWindows() {}

  /**
   * The window [start, end), ordered by end and then by start.
   *
   * @param start the first instant; null for the global window
   * @param end the first instant after it; null for the global window
   */
  public record Window(@Nullable Instant start, @Nullable Instant end)
      implements Comparable<Window> {

    /** The window without an end. */
    public static final Window GLOBAL = new Window(null, null);

    private static final Comparator<Window> ORDER =
        Comparator.comparing(Window::end, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(Window::start, Comparator.nullsLast(Comparator.naturalOrder()));

    /**
     * Whether the watermark has come to the window's end plus {@code grace}. Only the watermark at
     * infinity comes to the end of the global window.
     */
    boolean endedBy(Instant watermark, Duration grace) {
      return end == null
          ? watermark.equals(ReferenceModel.END_OF_TIME)
          : !watermark.isBefore(end.plus(grace));
    }

    @Override
    public int compareTo(Window other) {
      return ORDER.compare(this, other);
    }
  }

  /** Windows that become one. */
  record Merge(List<Window> parts, Window result) {}

  /** The windows of an event at {@code time}, by start; of a session, the window before merging. */
  public static List<Window> of(Windowing windowing, Instant time) {
    if (windowing instanceof Windowing.Fixed fixed) {
      return sliding(fixed.size(), fixed.size(), fixed.offset(), time);
    }
    if (windowing instanceof Windowing.Sliding sliding) {
      return sliding(sliding.size(), sliding.every(), sliding.offset(), time);
    }
    if (windowing instanceof Windowing.Calendar calendar) {
      return List.of(period(calendar, time));
    }
    if (windowing instanceof Windowing.ReportingCalendar reporting) {
      return listed(reporting.periods(), time);
    }
    if (windowing instanceof Windowing.Sessions sessions) {
      return List.of(new Window(time, time.plus(sessions.gap())));
    }
    return List.of(Window.GLOBAL);
  }

  private static List<Window> sliding(
      Duration size, Duration every, Duration offset, Instant time) {
    List<Window> windows = new ArrayList<>();
    Duration sinceStart =
        Duration.millis(Math.floorMod(time.getMillis() - offset.getMillis(), every.getMillis()));
    for (Instant start = time.minus(sinceStart);
        start.plus(size).isAfter(time);
        start = start.minus(every)) {
      windows.add(0, new Window(start, start.plus(size)));
    }
    return windows;
  }

  private static List<Window> listed(List<ReportingPeriod> periods, Instant time) {
    return periods.stream()
        .filter(period -> !time.isBefore(period.start()) && time.isBefore(period.end()))
        .map(period -> new Window(period.start(), period.end()))
        .toList();
  }

  /** Walks day by day from a period that starts before {@code time} to the one that holds it. */
  private static Window period(Windowing.Calendar calendar, Instant time) {
    LocalDate today =
        java.time.Instant.ofEpochMilli(time.getMillis()).atZone(calendar.zone()).toLocalDate();
    LocalDate first = today.minusDays(2);
    while (!startsPeriod(calendar, first)) {
      first = first.minusDays(1);
    }
    LocalDate next = nextPeriod(calendar, first);
    while (!time.isBefore(startOf(calendar, next))) {
      first = next;
      next = nextPeriod(calendar, first);
    }
    return new Window(startOf(calendar, first), startOf(calendar, next));
  }

  private static LocalDate nextPeriod(Windowing.Calendar calendar, LocalDate date) {
    LocalDate next = date.plusDays(1);
    while (!startsPeriod(calendar, next)) {
      next = next.plusDays(1);
    }
    return next;
  }

  private static boolean startsPeriod(Windowing.Calendar calendar, LocalDate date) {
    boolean startsMonth = date.getDayOfMonth() == 1;
    int monthsIntoYear =
        Math.floorMod(date.getMonthValue() - calendar.fiscalYearStartsIn().getValue(), 12);
    return switch (calendar.period()) {
      case DAY -> true;
      case WEEK -> date.getDayOfWeek() == calendar.weekStartsOn();
      case MONTH -> startsMonth;
      case QUARTER -> startsMonth && monthsIntoYear % 3 == 0;
      case YEAR -> startsMonth && monthsIntoYear == 0;
    };
  }

  private static Instant startOf(Windowing.Calendar calendar, LocalDate date) {
    return Instant.ofEpochMilli(
        ZonedDateTime.of(date, calendar.startsAt(), calendar.zone()).toInstant().toEpochMilli());
  }

  /**
   * Which of one key's sessions become one. Sessions that only touch stay apart, as Beam's {@code
   * IntervalWindow.intersects} says. Walks the sessions by start, as Beam's {@code
   * MergeOverlappingIntervalWindows} does, but lets each take only what {@link #takes} allows.
   */
  static List<Merge> merge(Windowing.Sessions sessions, Collection<Window> windows) {
    List<Merge> merges = new ArrayList<>();
    List<Window> byStart =
        windows.stream()
            .sorted(Comparator.comparing(Window::start).thenComparing(Window::end))
            .toList();
    for (Window next : byStart) {
      Merge current = merges.isEmpty() ? null : merges.get(merges.size() - 1);
      if (current != null && takes(sessions, current.result(), next)) {
        List<Window> parts = new ArrayList<>(current.parts());
        parts.add(next);
        Instant start = startOf(current.result());
        Window result = new Window(start, later(endOf(current.result()), endOf(next)));
        merges.set(merges.size() - 1, new Merge(parts, result));
      } else {
        merges.add(new Merge(List.of(next), next));
      }
    }
    return merges;
  }

  /**
   * The rule of {@code maxDuration}: a session takes an overlapping later one unless the two
   * together would be longer than that.
   */
  private static boolean takes(Windowing.Sessions sessions, Window current, Window next) {
    Duration max = sessions.maxDuration();
    Instant end = later(endOf(current), endOf(next));
    return startOf(next).isBefore(endOf(current))
        && (max == null || !end.isAfter(startOf(current).plus(max)));
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Instant startOf(Window session) {
    return Objects.requireNonNull(session.start());
  }

  private static Instant endOf(Window session) {
    return Objects.requireNonNull(session.end());
  }
}
