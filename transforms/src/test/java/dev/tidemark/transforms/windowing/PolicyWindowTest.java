package dev.tidemark.transforms.windowing;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Policies;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterProcessingTime;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.Window.ClosingBehavior;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.apache.beam.sdk.values.WindowingStrategy.AccumulationMode;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyWindowTest {
  private static final Duration SECOND = Duration.standardSeconds(1);
  private static final Duration MINUTE = Duration.standardMinutes(1);
  private static final Windowing FIXED = new Windowing.Fixed(MINUTE, SECOND);

  static Stream<Arguments> windowFns() {
    Windowing.Calendar calendar =
        new Windowing.Calendar(
            Windowing.Period.DAY,
            ZoneId.of("Asia/Jakarta"),
            LocalTime.of(7, 0),
            DayOfWeek.MONDAY,
            Month.JANUARY);
    Windowing.ReportingCalendar periods =
        new Windowing.ReportingCalendar(
            "periods.csv",
            List.of(new ReportingPeriod("P1", Instant.EPOCH, Instant.EPOCH.plus(MINUTE), "1")));
    return Stream.of(
        Arguments.of(FIXED, FixedWindows.of(MINUTE).withOffset(SECOND)),
        Arguments.of(
            new Windowing.Sliding(MINUTE, SECOND, Duration.ZERO),
            SlidingWindows.of(MINUTE).every(SECOND)),
        Arguments.of(new Windowing.Sessions(MINUTE, null), Sessions.withGapDuration(MINUTE)),
        Arguments.of(new Windowing.Sessions(SECOND, MINUTE), BoundedSessions.of(SECOND, MINUTE)),
        Arguments.of(new Windowing.Global(), new GlobalWindows()),
        Arguments.of(calendar, CalendarWindows.of(calendar)),
        Arguments.of(periods, ReportingPeriods.of(periods)));
  }

  @ParameterizedTest
  @MethodSource("windowFns")
  void eachShapeHasItsWindowFunction(Windowing windowing, WindowFn<Object, ?> expected) {
    WindowFn<?, ?> windows =
        strategy(windowing, Accumulation.ACCUMULATING, Trigger.DEFAULT).getWindowFn();

    assertThat(windows, is(expected));
  }

  static Stream<Arguments> triggers() {
    Trigger.Cadence count = new Trigger.Count(5);
    Trigger.Cadence every = new Trigger.Every(SECOND);
    AfterPane afterFive = AfterPane.elementCountAtLeast(5);
    AfterProcessingTime afterASecond =
        AfterProcessingTime.pastFirstElementInPane().plusDelayOf(SECOND);
    return Stream.of(
        Arguments.of(
            Trigger.DEFAULT,
            AfterWatermark.pastEndOfWindow().withLateFirings(AfterPane.elementCountAtLeast(1))),
        Arguments.of(
            new Trigger(count, every),
            AfterWatermark.pastEndOfWindow()
                .withEarlyFirings(afterFive)
                .withLateFirings(afterASecond)),
        Arguments.of(
            new Trigger(every, count),
            AfterWatermark.pastEndOfWindow()
                .withEarlyFirings(afterASecond)
                .withLateFirings(afterFive)));
  }

  @ParameterizedTest
  @MethodSource("triggers")
  void firesAtTheEndOfTheWindowAndByTheCadencesAroundIt(
      Trigger trigger, org.apache.beam.sdk.transforms.windowing.Trigger expected) {
    assertThat(strategy(FIXED, Accumulation.ACCUMULATING, trigger).getTrigger(), is(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "ACCUMULATING, ACCUMULATING_FIRED_PANES",
    "DISCARDING, DISCARDING_FIRED_PANES",
    // What is taken back is the whole value of the pane before.
    "RETRACTING, ACCUMULATING_FIRED_PANES"
  })
  void panesAccumulateUnlessTheyAreDiscarded(Accumulation accumulation, AccumulationMode expected) {
    assertThat(strategy(FIXED, accumulation, Trigger.DEFAULT).getMode(), is(expected));
  }

  static Stream<Arguments> closings() {
    return Stream.of(
        Arguments.of(FIXED, ClosingBehavior.FIRE_IF_NON_EMPTY),
        Arguments.of(new Windowing.Sessions(MINUTE, null), ClosingBehavior.FIRE_ALWAYS));
  }

  @ParameterizedTest
  @MethodSource("closings")
  void onlyASessionSaysThatItHasClosed(Windowing windowing, ClosingBehavior expected) {
    WindowingStrategy<?, ?> strategy =
        strategy(windowing, Accumulation.ACCUMULATING, Trigger.DEFAULT);

    assertThat(strategy.getClosingBehavior(), is(expected));
    assertThat(strategy.getAllowedLateness(), is(SECOND));
  }

  private static WindowingStrategy<?, ?> strategy(
      Windowing windowing, Accumulation accumulation, Trigger trigger) {
    return Pipeline.create()
        .apply(TestStream.create(VarIntCoder.of()).advanceWatermarkToInfinity())
        .apply(
            PolicyWindow.of(
                Policies.of(
                    windowing,
                    trigger,
                    SECOND,
                    accumulation,
                    TooLate.QUARANTINE,
                    Map.of("count", new Aggregate.Count()))))
        .getWindowingStrategy();
  }
}
