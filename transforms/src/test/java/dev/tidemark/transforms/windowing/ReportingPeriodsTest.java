package dev.tidemark.transforms.windowing;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.Windowing;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportingPeriodsTest {
  /** Two periods end to end, and one behind a gap. */
  private static final ReportingPeriods PERIODS =
      ReportingPeriods.of(
          new Windowing.ReportingCalendar(
              "periods.csv",
              List.of(period("P1", 100, 200), period("P2", 200, 250), period("P3", 300, 400))));

  @ParameterizedTest
  @CsvSource({"100, 100, 200", "199, 100, 200", "200, 200, 250", "249, 200, 250", "300, 300, 400"})
  void aTimeLiesInThePeriodThatHoldsIt(long time, long start, long end) {
    assertThat(
        PERIODS.assignWindow(Instant.ofEpochMilli(time)),
        is(new IntervalWindow(Instant.ofEpochMilli(start), Instant.ofEpochMilli(end))));
  }

  @ParameterizedTest
  @ValueSource(longs = {99, 250, 299, 400, Long.MIN_VALUE})
  void aTimeOutsideAllPeriodsIsRefused(long time) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> PERIODS.assignWindow(Instant.ofEpochMilli(time)));

    assertThat(refused.getMessage(), containsString("lies in no period of the calendar"));
  }

  @Test
  void windowFunctionsOfEqualPeriodsAreEqual() {
    List<ReportingPeriod> some = List.of(period("P1", 100, 200));
    ReportingPeriods periods = ReportingPeriods.of(new Windowing.ReportingCalendar("a.csv", some));

    assertThat(periods, is(ReportingPeriods.of(new Windowing.ReportingCalendar("a.csv", some))));
    assertThat(periods, is(not(PERIODS)));
  }

  private static ReportingPeriod period(String id, long start, long end) {
    return new ReportingPeriod(id, Instant.ofEpochMilli(start), Instant.ofEpochMilli(end), "1");
  }
}
