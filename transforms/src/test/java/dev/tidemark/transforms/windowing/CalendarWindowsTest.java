package dev.tidemark.transforms.windowing;

import static dev.tidemark.policy.Windowing.Period.DAY;
import static dev.tidemark.policy.Windowing.Period.MONTH;
import static dev.tidemark.policy.Windowing.Period.QUARTER;
import static dev.tidemark.policy.Windowing.Period.WEEK;
import static dev.tidemark.policy.Windowing.Period.YEAR;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.not;

import dev.tidemark.policy.Windowing;
import dev.tidemark.policy.Windowing.Period;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CalendarWindowsTest {
  private static final long YEAR_1 = Instant.parse("0001-01-01T00:00:00Z").getMillis();
  private static final long YEAR_9999 = Instant.parse("9999-12-31T23:59:59.999Z").getMillis();
  private static final Duration MILLISECOND = Duration.millis(1);

  /** Zones that have skipped a day, shift by half an hour, or change their clocks at midnight. */
  private static final String[] ODD_ZONES = {
    "Pacific/Apia", "Asia/Manila", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Cairo"
  };

  /** A calendar, a time, and the window that it lies in. */
  static Stream<Arguments> windows() {
    return Stream.of(
        // Days of 23 and of 25 hours.
        window(
            day("Europe/Berlin", "00:00"),
            "2026-03-29T12:00Z",
            "2026-03-28T23:00Z",
            "2026-03-29T22:00Z"),
        window(
            day("Europe/Berlin", "00:00"),
            "2026-10-25T12:00Z",
            "2026-10-24T22:00Z",
            "2026-10-25T23:00Z"),
        // Days of 23.5 and of 24.5 hours.
        window(
            day("Australia/Lord_Howe", "00:00"),
            "2026-10-04T00:00Z",
            "2026-10-03T13:30Z",
            "2026-10-04T13:00Z"),
        window(
            day("Australia/Lord_Howe", "00:00"),
            "2026-04-05T00:00Z",
            "2026-04-04T13:00Z",
            "2026-04-05T13:30Z"),
        // A start that the clock skips comes an hour later; one that it shows twice, the first
        // time.
        window(
            day("Europe/Berlin", "02:30"),
            "2026-03-29T12:00Z",
            "2026-03-29T01:30Z",
            "2026-03-30T00:30Z"),
        window(
            day("Europe/Berlin", "02:30"),
            "2026-03-29T01:29:59.999Z",
            "2026-03-28T01:30Z",
            "2026-03-29T01:30Z"),
        window(
            day("Europe/Berlin", "02:30"),
            "2026-10-25T12:00Z",
            "2026-10-25T00:30Z",
            "2026-10-26T01:30Z"),
        window(
            day("America/Sao_Paulo", "00:00"),
            "2018-11-04T12:00Z",
            "2018-11-04T03:00Z",
            "2018-11-05T02:00Z"),
        // Samoa had no 2011-12-30: the day before it is followed by the day after it.
        window(
            day("Pacific/Apia", "00:00"),
            "2011-12-29T20:00Z",
            "2011-12-29T10:00Z",
            "2011-12-30T10:00Z"),
        window(
            day("Pacific/Apia", "00:00"),
            "2011-12-30T10:00Z",
            "2011-12-30T10:00Z",
            "2011-12-31T10:00Z"),
        // Days that start in the morning hold the small hours of the next date.
        window(
            day("Asia/Jakarta", "07:00"),
            "2026-07-04T23:59:59.999Z",
            "2026-07-04T00:00Z",
            "2026-07-05T00:00Z"),
        window(
            week(DayOfWeek.MONDAY), "2026-07-05T12:00Z", "2026-06-29T00:00Z", "2026-07-06T00:00Z"),
        window(
            week(DayOfWeek.SUNDAY), "2026-07-05T12:00Z", "2026-07-05T00:00Z", "2026-07-12T00:00Z"),
        window(
            week(DayOfWeek.SATURDAY),
            "2026-01-01T00:00Z",
            "2025-12-27T00:00Z",
            "2026-01-03T00:00Z"),
        window(
            utc(MONTH, Month.JANUARY),
            "2024-02-29T12:00Z",
            "2024-02-01T00:00Z",
            "2024-03-01T00:00Z"),
        window(
            utc(QUARTER, Month.JANUARY),
            "2026-05-01T00:00Z",
            "2026-04-01T00:00Z",
            "2026-07-01T00:00Z"),
        window(
            utc(QUARTER, Month.FEBRUARY),
            "2026-01-15T00:00Z",
            "2025-11-01T00:00Z",
            "2026-02-01T00:00Z"),
        window(
            utc(YEAR, Month.APRIL),
            "2026-03-31T23:59:59.999Z",
            "2025-04-01T00:00Z",
            "2026-04-01T00:00Z"),
        window(
            utc(YEAR, Month.APRIL), "2026-04-01T00:00Z", "2026-04-01T00:00Z", "2027-04-01T00:00Z"),
        window(
            utc(YEAR, Month.JANUARY),
            "0001-06-01T00:00Z",
            "0001-01-01T00:00Z",
            "0002-01-01T00:00Z"),
        window(
            utc(YEAR, Month.JANUARY),
            "9999-06-01T00:00Z",
            "9999-01-01T00:00Z",
            "10000-01-01T00:00Z"));
  }

  @ParameterizedTest
  @MethodSource("windows")
  void aTimeLiesInThePeriodOfItsZone(
      Windowing.Calendar calendar, String time, String start, String end) {
    IntervalWindow window = CalendarWindows.of(calendar).assignWindow(Instant.parse(time));

    assertThat(window, is(new IntervalWindow(Instant.parse(start), Instant.parse(end))));
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 2026-03-29T12:00Z, 23.0",
    "Europe/Berlin, 2026-10-25T12:00Z, 25.0",
    "Australia/Lord_Howe, 2026-10-04T00:00Z, 23.5",
    "Australia/Lord_Howe, 2026-04-05T00:00Z, 24.5",
    "Pacific/Apia, 2011-12-29T20:00Z, 24.0",
    "UTC, 2026-03-29T12:00Z, 24.0"
  })
  void aDayIsAsLongAsItsZoneSays(String zone, String time, double hours) {
    IntervalWindow day = CalendarWindows.of(day(zone, "00:00")).assignWindow(Instant.parse(time));

    assertThat((day.end().getMillis() - day.start().getMillis()) / 3_600_000.0, is(hours));
  }

  @Provide
  Arbitrary<Windowing.Calendar> calendars() {
    return Combinators.combine(
            Arbitraries.of(Period.values()),
            Arbitraries.oneOf(
                Arbitraries.of(ODD_ZONES), Arbitraries.of(ZoneId.getAvailableZoneIds())),
            Arbitraries.integers().between(0, 24 * 60 - 1),
            Arbitraries.of(DayOfWeek.values()),
            Arbitraries.of(Month.values()))
        .as(
            (period, zone, minute, day, month) ->
                new Windowing.Calendar(
                    period, ZoneId.of(zone), LocalTime.ofSecondOfDay(minute * 60L), day, month));
  }

  /** Any time of four digits of years, and often one of the times of the clock's changes. */
  @Provide
  Arbitrary<Instant> times() {
    return Arbitraries.frequencyOf(
            Tuple.of(1, Arbitraries.longs().between(YEAR_1, YEAR_9999)),
            Tuple.of(
                3,
                Arbitraries.longs()
                    .between(
                        Instant.parse("1840-01-01T00:00:00Z").getMillis(),
                        Instant.parse("2040-01-01T00:00:00Z").getMillis())),
            Tuple.of(
                1,
                Arbitraries.longs()
                    .between(
                        Instant.parse("2011-12-28T00:00:00Z").getMillis(),
                        Instant.parse("2012-01-02T00:00:00Z").getMillis())))
        .map(Instant::ofEpochMilli);
  }

  @Property(tries = 5_000)
  void windowsHoldTheirTimesAndTileTheLineOfTime(
      @ForAll("calendars") Windowing.Calendar calendar, @ForAll("times") Instant time) {
    CalendarWindows windows = CalendarWindows.of(calendar);

    IntervalWindow window = windows.assignWindow(time);

    assertThat(window.start(), is(lessThanOrEqualTo(time)));
    assertThat(window.end(), is(greaterThan(time)));
    assertThat(windows.assignWindow(window.start()), is(window));
    assertThat(windows.assignWindow(window.end().minus(MILLISECOND)), is(window));
    assertThat(windows.assignWindow(window.end()).start(), is(window.end()));
    assertThat(windows.assignWindow(window.start().minus(MILLISECOND)).end(), is(window.start()));
  }

  @Test
  void windowFunctionsOfEqualCalendarsAreEqual() {
    CalendarWindows windows = CalendarWindows.of(day("Europe/Berlin", "00:00"));

    assertThat(windows, is(CalendarWindows.of(day("Europe/Berlin", "00:00"))));
    assertThat(windows, is(not(CalendarWindows.of(day("Europe/Berlin", "00:30")))));
  }

  private static Arguments window(
      Windowing.Calendar calendar, String time, String start, String end) {
    return Arguments.of(calendar, time, start, end);
  }

  private static Windowing.Calendar day(String zone, String startsAt) {
    return new Windowing.Calendar(
        DAY, ZoneId.of(zone), LocalTime.parse(startsAt), DayOfWeek.MONDAY, Month.JANUARY);
  }

  private static Windowing.Calendar week(DayOfWeek startsOn) {
    return new Windowing.Calendar(
        WEEK, ZoneId.of("UTC"), LocalTime.MIDNIGHT, startsOn, Month.JANUARY);
  }

  private static Windowing.Calendar utc(Period period, Month fiscalYearStartsIn) {
    return new Windowing.Calendar(
        period, ZoneId.of("UTC"), LocalTime.MIDNIGHT, DayOfWeek.MONDAY, fiscalYearStartsIn);
  }
}
