package dev.tidemark.transforms.aggregate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.transforms.AggregateValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** The sketches beyond the sizes up to which they are exact. */
class SketchesTest {
  private static final double DISTINCT_STANDARD_ERROR = 0.016;
  private static final double RANK_ERROR_AT_99_PERCENT = 0.0133;

  @Property(tries = 50, shrinking = ShrinkingMode.OFF)
  void distinctGivesOneEstimateInAnyOrderAndGrouping(
      @ForAll @IntRange(min = 100, max = 10_000) int different, @ForAll Random random) {
    Aggregate distinct = new Aggregate.Distinct(Samples.FIELD, false);
    List<Event> events = new ArrayList<>(Samples.wholeNumbers(different));
    events.addAll(Samples.wholeNumbers(different / 2));

    AggregateValue inOrder = Samples.valueOf(Samples.inOrder(distinct, events));
    AggregateValue combined = Samples.valueOf(Samples.inAnyWay(distinct, events, random));

    assertThat(combined, is(inOrder));
    assertThat(number(inOrder), closeTo(different, 5 * DISTINCT_STANDARD_ERROR * different));
  }

  // Three times the documented error lies beyond seven standard deviations, so chance cannot fail.
  @Property(tries = 50, shrinking = ShrinkingMode.OFF)
  void quantileStaysWithinItsRankErrorInAnyOrderAndGrouping(
      @ForAll @IntRange(min = 1_000, max = 10_000) int count,
      @ForAll @DoubleRange(min = 0, max = 1) double q,
      @ForAll Random random) {
    Aggregate quantile = new Aggregate.Quantile(Samples.FIELD, q);
    List<Event> events = Samples.wholeNumbers(count);

    double value = number(Samples.valueOf(Samples.inAnyWay(quantile, events, random)));

    assertThat((value + 1) / count, closeTo(q, 3 * RANK_ERROR_AT_99_PERCENT));
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void anOutputHasTheQuantileOfTheState(
      @ForAll @IntRange(min = 1, max = 20_000) int count,
      @ForAll @DoubleRange(min = 0, max = 1) double q) {
    Aggregate quantile = new Aggregate.Quantile(Samples.FIELD, q);
    Accumulators state = Samples.inOrder(quantile, Samples.wholeNumbers(count));

    Accumulators output = AggregateFn.of(List.of(quantile)).extractOutput(state);

    assertThat(output.values(), is(state.values()));
  }

  private static double number(@Nullable AggregateValue value) {
    return value instanceof AggregateValue.Single single && single.scalar() instanceof Scalar.Num n
        ? n.value().doubleValue()
        : Double.NaN;
  }
}
