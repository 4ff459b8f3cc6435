package dev.tidemark.transforms.reconcile;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import java.math.BigDecimal;
import java.util.List;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** Lines of one key, with a count as their value. */
final class ResultLines {
  static final Instant START = Instant.parse("2026-07-04T10:00:00Z");

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
                new EventKey(List.of(new Scalar.Text("a"))),
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
