package dev.tidemark.transforms.reconcile;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Lines of one key, with a count as their value. */
final class ResultLines {
  static final Instant START = Instant.parse("2026-07-04T10:00:00Z");

  static final EventKey KEY = new EventKey(List.of(new Scalar.Text("a")));

  private final Policy policy;

  private ResultLines(Policy policy) {
    this.policy = policy;
  }

  static ResultLines of(String window, String accumulation) throws PolicyException {
    return new ResultLines(
        PolicyLoader.parse(
            """
            metric: m
            version: "1"
            timestamp: /t
            key: {k: /k}
            window: {%s}
            accumulation: %s
            aggregates: {n: count}
            """
                .formatted(window, accumulation),
            "policy.yaml"));
  }

  Policy policy() {
    return policy;
  }

  /** An event that came too late for its own window, from one minute of the hour to another. */
  static TooLateEvent tooLate(int number, int from, int to) {
    ResultWindow window = window(from, to);
    RawRecord raw = new RawRecord(new byte[0], new Origin.FileLine("f", number, null), START);
    List<@Nullable Scalar> values = Arrays.asList((Scalar) null);
    return new TooLateEvent(new Event(KEY, window.start(), values, raw), window);
  }

  /** The window from one minute of the hour to another. */
  static ResultWindow window(int from, int to) {
    return new ResultWindow(
        START.plus(Duration.standardMinutes(from)), START.plus(Duration.standardMinutes(to)));
  }

  ResultLine line(ResultWindow window, ResultKind kind, long sequence, String... corrects) {
    return ResultLine.parse(
        ResultJson.line(
            policy,
            new WindowResult(
                KEY,
                window,
                kind,
                sequence,
                false,
                window.end(),
                START,
                List.of(new AggregateValue.Single(new Scalar.Num(BigDecimal.valueOf(sequence)))),
                List.of(),
                null,
                List.of(corrects))));
  }
}
