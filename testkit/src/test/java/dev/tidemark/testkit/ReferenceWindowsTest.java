package dev.tidemark.testkit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.List;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceWindowsTest {

  @ParameterizedTest
  @CsvSource({
    "2026-07-04T10:01:59.999Z, 2026-07-04T09:57:00Z",
    "2026-07-04T10:02:00Z,     2026-07-04T10:02:00Z",
    "1969-12-31T23:59:00Z,     1969-12-31T23:57:00Z", // before the epoch too
  })
  void fixedWindowsStartAtTheEpochPlusTheOffset(String time, String start) {
    Windowing fixed = new Windowing.Fixed(Duration.standardMinutes(5), Duration.standardMinutes(2));
    Instant expected = Instant.parse(start);
    assertThat(
        ReferenceWindows.of(fixed, Instant.parse(time)),
        contains(new Window(expected, expected.plus(Duration.standardMinutes(5)))));
  }

  @Test
  void slidingWindowsNeedNotDivideEvenly() {
    Windowing sliding =
        new Windowing.Sliding(
            Duration.standardMinutes(5), Duration.standardMinutes(3), Duration.ZERO);
    assertThat(
        ReferenceWindows.of(sliding, Instant.parse("2026-07-04T10:01:00Z")),
        contains(
            window("2026-07-04T09:57:00Z", "2026-07-04T10:02:00Z"),
            window("2026-07-04T10:00:00Z", "2026-07-04T10:05:00Z")));
    assertThat(
        ReferenceWindows.of(sliding, Instant.parse("2026-07-04T10:02:00Z")),
        contains(window("2026-07-04T10:00:00Z", "2026-07-04T10:05:00Z")));
  }

  @ParameterizedTest
  @CsvSource({
    // 23 hours, 25 hours, and the half hour of Lord Howe
    "DAY, Europe/Berlin, 00:00, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
    "DAY, Europe/Berlin, 00:00, 2026-10-25T22:59:59Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
    "DAY, Australia/Lord_Howe, 00:00, 2026-04-05T00:00:00Z, 2026-04-04T13:00:00Z, 2026-04-05T13:30:00Z",
    // a start that the clock leaps over, and the day before a business day has started
    "DAY, Europe/Berlin, 02:30, 2026-03-29T01:30:00Z, 2026-03-29T01:30:00Z, 2026-03-30T00:30:00Z",
    "DAY, Asia/Jakarta, 07:00, 2026-07-03T23:59:59.999Z, 2026-07-03T00:00:00Z, 2026-07-04T00:00:00Z",
    // a day that the calendar of Samoa left out has no window
    "DAY, Pacific/Apia, 00:00, 2011-12-30T10:00:00Z, 2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z",
    "WEEK, UTC, 00:00, 2026-07-04T12:00:00Z, 2026-07-01T00:00:00Z, 2026-07-08T00:00:00Z",
    "MONTH, UTC, 06:00, 2026-03-01T05:59:59Z, 2026-02-01T06:00:00Z, 2026-03-01T06:00:00Z",
    "QUARTER, UTC, 00:00, 2026-07-04T00:00:00Z, 2026-05-01T00:00:00Z, 2026-08-01T00:00:00Z",
    "YEAR, UTC, 00:00, 2026-01-31T00:00:00Z, 2025-02-01T00:00:00Z, 2026-02-01T00:00:00Z",
  })
  void calendarPeriodsFollowTheZonesClock(
      Windowing.Period period,
      String zone,
      String startsAt,
      String time,
      String start,
      String end) {
    Windowing calendar =
        new Windowing.Calendar(
            period,
            ZoneId.of(zone),
            LocalTime.parse(startsAt),
            DayOfWeek.WEDNESDAY,
            Month.FEBRUARY);
    assertThat(ReferenceWindows.of(calendar, Instant.parse(time)), contains(window(start, end)));
  }

  @Test
  void aReportingCalendarIsLookedUp() {
    Windowing reporting =
        new Windowing.ReportingCalendar(
            "periods.csv",
            List.of(
                new ReportingPeriod(
                    "p1",
                    Instant.parse("2026-01-01T00:00:00Z"),
                    Instant.parse("2026-02-05T00:00:00Z"),
                    "1")));
    assertThat(
        ReferenceWindows.of(reporting, Instant.parse("2026-02-04T23:59:59Z")),
        contains(window("2026-01-01T00:00:00Z", "2026-02-05T00:00:00Z")));
    assertThat(ReferenceWindows.of(reporting, Instant.parse("2026-02-05T00:00:00Z")), empty());
  }

  @Test
  void aSessionIsJudgedByTheEventsOwnGap() {
    Windowing sessions = new Windowing.Sessions(Duration.standardMinutes(30), null);
    assertThat(
        ReferenceWindows.of(sessions, Instant.parse("2026-07-04T10:00:00Z")),
        contains(window("2026-07-04T10:00:00Z", "2026-07-04T10:30:00Z")));
  }

  @Test
  void theGlobalWindowHoldsEverything() {
    assertThat(
        ReferenceWindows.of(new Windowing.Global(), Instant.EPOCH), is(List.of(Window.GLOBAL)));
  }

  private static Window window(String start, String end) {
    return new Window(Instant.parse(start), Instant.parse(end));
  }
}
