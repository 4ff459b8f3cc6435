package dev.tidemark.testkit;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.JsonLine;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Scripts of arrivals for property tests, made to hit what is hard: few keys, and times close to
 * the watermark and on the edges of windows and of their lateness. The watermark only moves on.
 */
public final class Arrivals {
  private static final int LONGEST = 25;

  private Arrivals() {}

  /** Up to 25 steps on the scale of the policy's windows. The events suit {@link Policies}. */
  public static Arbitrary<List<Step>> of(Policy policy) {
    return moves()
        .list()
        .ofMaxSize(LONGEST)
        .withSizeDistribution(RandomDistribution.uniform())
        .map(moves -> script(policy, moves));
  }

  /**
   * An event of a policy of {@link Policies}, as it would be parsed from its raw record.
   *
   * @param line the number of its line
   */
  public static Event event(
      Policy policy, long line, String key, Instant time, BigDecimal number, Scalar scalar) {
    Scalar keyScalar = new Scalar.Text(key);
    Scalar numberScalar = new Scalar.Num(number);
    List<@Nullable Scalar> values = new ArrayList<>();
    for (Aggregate aggregate : policy.aggregates().values()) {
      Pointer of = aggregate.of();
      values.add(of == null ? null : of.equals(Policies.NUMBER) ? numberScalar : scalar);
    }
    String json =
        JsonLine.of(
            out -> {
              JsonLine.writeInstant(out, "t", time);
              out.writeStringField("k", key);
              out.writeNumberField("v", number);
              out.writeFieldName("s");
              JsonLine.writeScalar(out, scalar);
            });
    RawRecord raw =
        new RawRecord(
            json.getBytes(StandardCharsets.UTF_8),
            new Origin.FileLine("events.ndjson", 0, line),
            Policies.START);
    return new Event(new EventKey(List.of(keyScalar)), time, values, raw);
  }

  /** Where in its window a time is put. */
  private enum Edge {
    INSIDE,
    START,
    LAST,
    END,
    LAST_LATE,
    TOO_LATE
  }

  /**
   * A step relative to the watermark before it.
   *
   * @param quarters how far from the watermark, in quarters of a window
   * @param payload of an event; null for a move of the watermark
   */
  private record Move(int quarters, Edge edge, @Nullable Payload payload) {}

  private record Payload(String key, BigDecimal number, Scalar scalar) {}

  private static Arbitrary<Move> moves() {
    Arbitrary<Edge> edges =
        Arbitraries.frequencyOf(
            Tuple.of(2, Arbitraries.just(Edge.INSIDE)), Tuple.of(1, Arbitraries.of(Edge.class)));
    Arbitrary<Move> events =
        Combinators.combine(Arbitraries.integers().between(-12, 8), edges, payloads())
            .as(Move::new);
    // A leap takes the watermark past all that anyone might have set a timer for.
    Arbitrary<Integer> ahead =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.integers().between(0, 6)),
            Tuple.of(1, Arbitraries.integers().between(7, 60)));
    Arbitrary<Move> watermarks =
        Combinators.combine(ahead, edges).as((quarters, edge) -> new Move(quarters, edge, null));
    return Arbitraries.frequencyOf(Tuple.of(3, events), Tuple.of(1, watermarks));
  }

  private static Arbitrary<Payload> payloads() {
    return Combinators.combine(
            Arbitraries.of("a", "b"),
            Arbitraries.bigDecimals()
                .between(BigDecimal.valueOf(-9), BigDecimal.valueOf(9))
                .ofScale(2),
            Arbitraries.<Scalar>of(
                new Scalar.Text("x"),
                new Scalar.Text("y"),
                new Scalar.Bool(true),
                new Scalar.Num(new BigDecimal("1")),
                new Scalar.Num(new BigDecimal("1.0"))))
        .as(Payload::new);
  }

  private static List<Step> script(Policy policy, List<Move> moves) {
    List<Step> steps = new ArrayList<>();
    Instant watermark = Policies.START;
    for (Move move : moves) {
      Duration ahead = Policies.quarter(policy.windowing()).multipliedBy(move.quarters());
      Instant time = onEdge(policy, move.edge(), watermark.plus(ahead));
      Payload payload = move.payload();
      if (payload != null) {
        steps.add(
            new Step.Arrive(
                event(
                    policy,
                    steps.size() + 1,
                    payload.key(),
                    time,
                    payload.number(),
                    payload.scalar())));
      } else if (time.isAfter(watermark)) {
        steps.add(new Step.Advance(time));
        watermark = time;
      }
    }
    return steps;
  }

  private static Instant onEdge(Policy policy, Edge edge, Instant time) {
    Window window = ReferenceWindows.of(policy.windowing(), time).get(0);
    if (window.start() == null || window.end() == null) {
      return time;
    }
    return switch (edge) {
      case INSIDE -> time;
      case START -> window.start();
      case LAST -> window.end().minus(Duration.millis(1));
      case END -> window.end();
      case LAST_LATE -> window.end().plus(policy.allowedLateness()).minus(Duration.millis(1));
      case TOO_LATE -> window.end().plus(policy.allowedLateness());
    };
  }
}
