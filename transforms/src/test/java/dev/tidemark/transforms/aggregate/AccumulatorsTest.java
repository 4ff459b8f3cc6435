package dev.tidemark.transforms.aggregate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.event.Event;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.transforms.AggregateValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AccumulatorsTest {
  private static final List<Event> BEFORE =
      List.of(Samples.event(1, Samples.num("2.50")), Samples.event(2, Samples.num("-1")));
  private static final List<Event> AFTER =
      List.of(Samples.event(3, Samples.num("2.5")), Samples.event(4, Samples.num("-3")));

  static Stream<Aggregate> aggregates() {
    return Samples.ONE_OF_EACH.stream();
  }

  @ParameterizedTest
  @MethodSource("aggregates")
  void whatIsRebuiltFromItsValueGoesOnAsBefore(Aggregate aggregate) {
    Accumulators before = Samples.inOrder(aggregate, BEFORE);
    if (!Accumulators.isInValue(aggregate)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> Accumulators.ofValues(List.of(aggregate), before.values()));
      return;
    }
    Accumulators rebuilt = Accumulators.ofValues(List.of(aggregate), before.values());
    AFTER.forEach(rebuilt::add);
    List<Event> all = new ArrayList<>(BEFORE);
    all.addAll(AFTER);
    assertThat(rebuilt.values(), is(Samples.inOrder(aggregate, all).values()));
  }

  @Test
  void aValueOfAnotherTypeIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Accumulators.ofValues(
                List.of(new Aggregate.Count()),
                List.of(new AggregateValue.Single(new Scalar.Text("x")))));
  }
}
