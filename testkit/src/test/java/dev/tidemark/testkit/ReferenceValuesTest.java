package dev.tidemark.testkit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceValues.Counted;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReferenceValuesTest {
  private static final Pointer NUMBER = new Pointer("/v");
  private static final Pointer SCALAR = new Pointer("/s");

  @ParameterizedTest
  @MethodSource
  void anAggregateOfThreeEventsAndOfNone(
      Aggregate aggregate, @Nullable Object ofThree, @Nullable Object ofNone) {
    Policy policy =
        Policies.of(
            new Windowing.Global(),
            Trigger.DEFAULT,
            Duration.ZERO,
            Accumulation.ACCUMULATING,
            TooLate.QUARANTINE,
            Map.of("it", aggregate));
    List<Event> events =
        List.of(
            event(policy, 1000, "0.10", new Scalar.Num(new BigDecimal("1.0"))),
            event(policy, 3000, "0.25", new Scalar.Text("x")),
            event(policy, 1000, "-1", new Scalar.Num(new BigDecimal("1.00"))));
    assertThat(ReferenceValues.of(policy, events).get(0), is(ofThree));
    assertThat(ReferenceValues.of(policy, List.of()).get(0), is(ofNone));
  }

  static Stream<Arguments> anAggregateOfThreeEventsAndOfNone() {
    return Stream.of(
        Arguments.of(new Aggregate.Count(), number("3"), number("0")),
        Arguments.of(new Aggregate.Elapsed(), number("2000"), null),
        Arguments.of(new Aggregate.Sum(NUMBER), number("-0.65"), number("0")),
        Arguments.of(new Aggregate.Min(NUMBER), number("-1"), null),
        Arguments.of(new Aggregate.Max(NUMBER), number("0.25"), null),
        Arguments.of(
            new Aggregate.Mean(NUMBER), number("-0.2166666666666666666666666666666667"), null),
        Arguments.of(new Aggregate.Distinct(SCALAR, true), number("2"), number("0")),
        Arguments.of(new Aggregate.Distinct(SCALAR, false), number("2"), number("0")),
        Arguments.of(new Aggregate.Quantile(NUMBER, 0.5), null, null),
        Arguments.of(new Aggregate.Top(SCALAR, 1), List.of(new Counted(number("1"), 2)), List.of()),
        Arguments.of(
            new Aggregate.Top(NUMBER, 2),
            List.of(new Counted(number("-1"), 1), new Counted(number("0.1"), 1)),
            List.of()),
        Arguments.of(new Aggregate.First(NUMBER), number("-1"), null),
        Arguments.of(new Aggregate.Last(SCALAR), "x", null));
  }

  private static BigDecimal number(String number) {
    return new BigDecimal(number);
  }

  private static Event event(Policy policy, long millis, String number, Scalar scalar) {
    return Arrivals.event(
        policy, 1, "a", Instant.ofEpochMilli(millis), new BigDecimal(number), scalar);
  }
}
