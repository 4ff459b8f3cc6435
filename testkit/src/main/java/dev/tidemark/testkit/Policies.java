package dev.tidemark.testkit;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Clock;
import dev.tidemark.policy.Format;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Watermark;
import dev.tidemark.policy.Windowing;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Policies for property tests. All read the same events: a time at {@code /t}, a key at {@code /k},
 * a number at {@code /v} and a scalar at {@code /s}, as {@link Arrivals} makes them. No aggregate
 * is a sketch, so that results compare exactly.
 */
public final class Policies {
  /** Around here the clocks of two of the zones change, and the scripts start. */
  static final Instant START = Instant.parse("2026-03-28T22:00:00Z");

  static final Pointer NUMBER = new Pointer("/v");
  private static final Pointer SCALAR = new Pointer("/s");
  private static final Map<String, Aggregate> AGGREGATES = aggregates();

  private Policies() {}

  /** Every window type, trigger, accumulation, lateness and treatment of what is too late. */
  public static Arbitrary<Policy> any() {
    return windowings().flatMap(Policies::over);
  }

  /**
   * Any policy whose trail can be reconciled, with sketches too. Sessions have no bound, which
   * would make them depend on the order.
   */
  public static Arbitrary<Policy> reconcilable() {
    return any().map(Policies::reconcilable);
  }

  private static Policy reconcilable(Policy policy) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>(policy.aggregates());
    aggregates.put("sketch", new Aggregate.Distinct(SCALAR, false));
    aggregates.put("median", new Aggregate.Quantile(NUMBER, 0.5));
    return of(
        policy.windowing() instanceof Windowing.Sessions sessions
            ? new Windowing.Sessions(sessions.gap(), null)
            : policy.windowing(),
        policy.trigger(),
        policy.allowedLateness(),
        policy.accumulation(),
        TooLate.QUARANTINE,
        aggregates);
  }

  /** Any policy over windows of this shape. */
  public static Arbitrary<Policy> over(Windowing windowing) {
    return Combinators.combine(
            triggers(windowing instanceof Windowing.Global),
            Arbitraries.integers().between(0, 8),
            Arbitraries.of(Accumulation.values()),
            Arbitraries.of(TooLate.values()),
            Arbitraries.of(AGGREGATES.keySet()).set().ofMinSize(1))
        .as(
            (trigger, quarters, accumulation, tooLate, names) -> {
              Map<String, Aggregate> aggregates = new LinkedHashMap<>(AGGREGATES);
              aggregates.keySet().retainAll(names);
              Duration lateness = quarter(windowing).multipliedBy(quarters);
              return of(windowing, trigger, lateness, accumulation, tooLate, aggregates);
            });
  }

  /** The policy of these parts that reads the events of {@link Arrivals}. */
  public static Policy of(
      Windowing windowing,
      Trigger trigger,
      Duration allowedLateness,
      Accumulation accumulation,
      TooLate tooLate,
      Map<String, Aggregate> aggregates) {
    return new Policy(
        "any-metric",
        "1",
        new Format.Json(),
        Clock.EVENT_TIME,
        new Pointer("/t"),
        Map.of("k", new Pointer("/k")),
        windowing,
        trigger,
        allowedLateness,
        accumulation,
        tooLate,
        aggregates,
        Watermark.DEFAULT);
  }

  /** A quarter of the time in which the windows of this shape change: the grid of a script. */
  static Duration quarter(Windowing windowing) {
    Duration whole = Duration.standardMinutes(1);
    if (windowing instanceof Windowing.Fixed fixed) {
      whole = fixed.size();
    } else if (windowing instanceof Windowing.Sliding sliding) {
      whole = sliding.every();
    } else if (windowing instanceof Windowing.Sessions sessions) {
      whole = sessions.gap();
    } else if (windowing instanceof Windowing.Calendar calendar) {
      whole =
          switch (calendar.period()) {
            case DAY -> Duration.standardDays(1);
            case WEEK -> Duration.standardDays(7);
            case MONTH -> Duration.standardDays(30);
            case QUARTER -> Duration.standardDays(91);
            case YEAR -> Duration.standardDays(365);
          };
    }
    return whole.dividedBy(4);
  }

  /** Every window type, with small windows. */
  public static Arbitrary<Windowing> windowings() {
    return Arbitraries.frequencyOf(
        Tuple.of(1, fixed()),
        Tuple.of(1, sliding()),
        Tuple.of(3, sessions()),
        Tuple.of(1, calendar()),
        Tuple.of(1, Arbitraries.just(reportingCalendar())),
        Tuple.of(1, Arbitraries.just(new Windowing.Global())));
  }

  /** Fixed windows, with an offset. */
  public static Arbitrary<Windowing> fixed() {
    return seconds(1, 600)
        .flatMap(size -> below(size).map(offset -> new Windowing.Fixed(size, offset)));
  }

  /** Sliding windows, with an offset; the size need not be a multiple of {@code every}. */
  public static Arbitrary<Windowing> sliding() {
    return seconds(1, 60)
        .flatMap(
            every ->
                Combinators.combine(seconds(0, 180), below(every))
                    .as((more, offset) -> new Windowing.Sliding(every.plus(more), every, offset)));
  }

  /** Sessions with a gap and, every other time, a bound of one gap or more. */
  public static Arbitrary<Windowing> sessions() {
    return Combinators.combine(seconds(1, 60), seconds(1, 120).injectNull(0.5))
        .as((gap, more) -> new Windowing.Sessions(gap, more == null ? null : gap.plus(more)));
  }

  private static Arbitrary<Windowing> calendar() {
    return Combinators.combine(
            Arbitraries.of(Windowing.Period.values()),
            Arbitraries.of("UTC", "Asia/Jakarta", "Europe/Berlin", "Australia/Lord_Howe")
                .map(ZoneId::of),
            Arbitraries.of("00:00", "02:30", "07:00").map(LocalTime::parse),
            Arbitraries.of(DayOfWeek.values()),
            Arbitraries.of(Month.values()))
        .as(Windowing.Calendar::new);
  }

  /** Periods of one to three minutes, end to end around the time of the scripts. */
  private static Windowing reportingCalendar() {
    List<ReportingPeriod> periods = new ArrayList<>();
    Instant start = START.minus(Duration.standardHours(1));
    while (start.isBefore(START.plus(Duration.standardHours(3)))) {
      Instant end = start.plus(Duration.standardMinutes(1 + periods.size() % 3));
      periods.add(new ReportingPeriod("p" + periods.size(), start, end, "1"));
      start = end;
    }
    return new Windowing.ReportingCalendar("periods.csv", periods);
  }

  private static Arbitrary<Trigger> triggers(boolean needsEarly) {
    return Combinators.combine(
            cadences(3).injectNull(needsEarly ? 0 : 0.4),
            Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(Trigger.DEFAULT.late())), Tuple.of(1, cadences(3))))
        .as(Trigger::new);
  }

  private static Arbitrary<Trigger.Cadence> cadences(int most) {
    Arbitrary<Trigger.Cadence> counts =
        Arbitraries.integers().between(1, most).map(Trigger.Count::new);
    Arbitrary<Trigger.Cadence> every =
        Arbitraries.just(new Trigger.Every(Duration.standardSeconds(10)));
    return Arbitraries.frequencyOf(Tuple.of(4, counts), Tuple.of(1, every));
  }

  private static Arbitrary<Duration> below(Duration bound) {
    return seconds(0, (int) bound.getStandardSeconds() - 1);
  }

  private static Arbitrary<Duration> seconds(int least, int most) {
    return Arbitraries.integers().between(least, most).map(Duration::standardSeconds);
  }

  private static Map<String, Aggregate> aggregates() {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    aggregates.put("count", new Aggregate.Count());
    aggregates.put("elapsed", new Aggregate.Elapsed());
    aggregates.put("sum", new Aggregate.Sum(NUMBER));
    aggregates.put("min", new Aggregate.Min(NUMBER));
    aggregates.put("max", new Aggregate.Max(NUMBER));
    aggregates.put("mean", new Aggregate.Mean(NUMBER));
    aggregates.put("distinct", new Aggregate.Distinct(SCALAR, true));
    aggregates.put("top", new Aggregate.Top(SCALAR, 2));
    aggregates.put("first", new Aggregate.First(SCALAR));
    aggregates.put("last", new Aggregate.Last(SCALAR));
    return aggregates;
  }
}
