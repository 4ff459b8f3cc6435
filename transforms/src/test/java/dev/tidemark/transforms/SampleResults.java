package dev.tidemark.transforms;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
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
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** A policy with one of each aggregate, and results of it. */
final class SampleResults {
  static final ResultWindow WINDOW =
      new ResultWindow(
          Instant.parse("2026-07-04T10:00:00Z"), Instant.parse("2026-07-04T10:05:00Z"));
  static final ResultWindow EARLIER =
      new ResultWindow(
          Instant.parse("2026-07-04T09:58:00Z"), Instant.parse("2026-07-04T10:03:00Z"));
  static final Windowing FIXED = new Windowing.Fixed(Duration.standardMinutes(5), Duration.ZERO);
  static final Windowing PERIODS =
      new Windowing.ReportingCalendar(
          "periods.csv",
          List.of(
              new ReportingPeriod("2026-P06", EARLIER.start(), WINDOW.start(), "v2"),
              new ReportingPeriod("2026-P07", WINDOW.start(), WINDOW.end(), "v2")));

  private static final Pointer FIELD = new Pointer("/v");

  private SampleResults() {}

  static Policy policy(Windowing windowing, Accumulation accumulation) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    aggregates.put("orders", new Aggregate.Count());
    aggregates.put("revenue", new Aggregate.Sum(FIELD));
    aggregates.put("least", new Aggregate.Min(FIELD));
    aggregates.put("most", new Aggregate.Max(FIELD));
    aggregates.put("mean", new Aggregate.Mean(FIELD));
    aggregates.put("p99", new Aggregate.Quantile(FIELD, 0.99));
    aggregates.put("buyers", new Aggregate.Distinct(FIELD, true));
    aggregates.put("span", new Aggregate.Elapsed());
    aggregates.put("first", new Aggregate.First(FIELD));
    aggregates.put("last", new Aggregate.Last(FIELD));
    aggregates.put("top", new Aggregate.Top(FIELD, 2));
    Map<String, Pointer> key = new LinkedHashMap<>();
    key.put("store_id", new Pointer("/store_id"));
    key.put("till", new Pointer("/till"));
    return policy("revenue-per-store", "3", key, windowing, accumulation, aggregates);
  }

  static Policy policy(
      String metric,
      String version,
      Map<String, Pointer> key,
      Windowing windowing,
      Accumulation accumulation,
      Map<String, Aggregate> aggregates) {
    return new Policy(
        metric,
        version,
        new Format.Json(),
        Clock.EVENT_TIME,
        new Pointer("/event_time"),
        key,
        windowing,
        Trigger.DEFAULT,
        Duration.standardMinutes(10),
        accumulation,
        TooLate.QUARANTINE,
        aggregates,
        Watermark.DEFAULT);
  }

  static EventKey key() {
    return new EventKey(List.of(new Scalar.Text("s-1"), num("7.00")));
  }

  static List<@Nullable AggregateValue> values() {
    return List.of(
        single(num("3")),
        single(num("547.50")),
        single(num("1E+3")),
        single(num("1E-9")),
        single(num("182.5")),
        single(num("0.1")),
        single(num("2")),
        single(num("1500")),
        single(new Scalar.Text("a \"b\"")),
        single(new Scalar.Bool(true)),
        new AggregateValue.Ranking(
            List.of(
                new AggregateValue.Counted(new Scalar.Text("x"), 2),
                new AggregateValue.Counted(num("1.50"), 1))));
  }

  /** Of a discarding pane without events: what has no value then is null. */
  static List<@Nullable AggregateValue> noValues() {
    return Arrays.asList(
        single(num("0")),
        single(num("0")),
        null,
        null,
        null,
        null,
        single(num("0")),
        null,
        null,
        null,
        new AggregateValue.Ranking(List.of()));
  }

  static WindowResult result(@Nullable ResultWindow window, List<@Nullable AggregateValue> values) {
    return new WindowResult(
        key(),
        window,
        ResultKind.LATE_UPDATE,
        2,
        false,
        window == null ? null : window.end(),
        Instant.parse("2026-07-04T10:06:07.089Z"),
        values,
        List.of(),
        null,
        List.of());
  }

  /** A result with all that only some results have. */
  static WindowResult fullResult() {
    return new WindowResult(
        key(),
        WINDOW,
        ResultKind.CORRECTION,
        3,
        true,
        WINDOW.end(),
        Instant.parse("2026-07-04T10:06:07.089Z"),
        values(),
        List.of(EARLIER),
        "QUJD",
        List.of("0a", "0b"));
  }

  private static AggregateValue single(Scalar scalar) {
    return new AggregateValue.Single(scalar);
  }

  private static Scalar num(String decimal) {
    return new Scalar.Num(new BigDecimal(decimal));
  }
}
