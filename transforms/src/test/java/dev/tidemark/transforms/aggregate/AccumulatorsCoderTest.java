package dev.tidemark.transforms.aggregate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.policy.Aggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.coders.Coder.NonDeterministicException;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.util.CoderUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccumulatorsCoderTest {
  static List<Aggregate> exactAggregates() {
    return Samples.ONE_OF_EACH.stream().filter(a -> !isSketch(a)).toList();
  }

  static List<Aggregate> sketches() {
    return Samples.ONE_OF_EACH.stream().filter(AccumulatorsCoderTest::isSketch).toList();
  }

  private static boolean isSketch(Aggregate aggregate) {
    return aggregate instanceof Aggregate.Quantile
        || aggregate.equals(new Aggregate.Distinct(Samples.FIELD, false));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 300, 5_000})
  void allAggregatesSurviveARoundTrip(int size) throws Exception {
    AccumulatorsCoder coder = AccumulatorsCoder.of(Samples.ONE_OF_EACH);
    Accumulators accumulators = Accumulators.empty(Samples.ONE_OF_EACH);
    Samples.wholeNumbers(size).forEach(accumulators::add);

    byte[] bytes = CoderUtils.encodeToByteArray(coder, accumulators);
    Accumulators decoded = CoderUtils.decodeFromByteArray(coder, bytes);

    assertThat(decoded.values(), is(accumulators.values()));
    assertThat(decoded.events(), is((long) size));
  }

  @ParameterizedTest
  @MethodSource("exactAggregates")
  void exactAggregatesHaveTheSameBytesInAnyOrderAndGrouping(Aggregate aggregate) throws Exception {
    var events = Samples.wholeNumbers(100);

    AccumulatorsCoder.of(List.of(aggregate)).verifyDeterministic();
    assertThat(
        Samples.encode(aggregate, Samples.inAnyWay(aggregate, events, new Random(1))),
        is(Samples.encode(aggregate, Samples.inOrder(aggregate, events))));
  }

  @ParameterizedTest
  @MethodSource("sketches")
  void sketchesAreNotDeterministic(Aggregate aggregate) {
    assertThrows(
        NonDeterministicException.class,
        () -> AccumulatorsCoder.of(List.of(aggregate)).verifyDeterministic());
  }

  @Test
  void codersOfEqualAggregatesAreEqual() {
    List<Aggregate> same = new ArrayList<>(Samples.ONE_OF_EACH);

    assertThat(AccumulatorsCoder.of(same), is(AccumulatorsCoder.of(Samples.ONE_OF_EACH)));
    assertThat(
        AccumulatorsCoder.of(same).hashCode(),
        is(AccumulatorsCoder.of(Samples.ONE_OF_EACH).hashCode()));
    assertThat(
        AccumulatorsCoder.of(same.subList(1, same.size())), is(not(AccumulatorsCoder.of(same))));
  }

  @Test
  void travelsWithThePipeline() {
    CoderProperties.coderSerializable(AccumulatorsCoder.of(Samples.ONE_OF_EACH));
  }
}
