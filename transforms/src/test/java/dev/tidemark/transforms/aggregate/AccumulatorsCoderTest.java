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
import org.apache.beam.sdk.coders.CoderException;
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
  @ValueSource(booleans = {false, true})
  void stateOfFewerAggregatesGoesOnWithTheOthersFromThen(boolean readByItsOwnCoder)
      throws Exception {
    int added = 3;
    List<Aggregate> all = Samples.ONE_OF_EACH;
    List<Aggregate> before = all.subList(0, all.size() - added);
    Accumulators state = Accumulators.empty(before);
    Samples.wholeNumbers(2).forEach(state::add);
    byte[] bytes = CoderUtils.encodeToByteArray(AccumulatorsCoder.of(before), state);
    // A runner that keeps its state as objects restores them by the coder that wrote them.
    AccumulatorsCoder reader = AccumulatorsCoder.of(readByItsOwnCoder ? before : all);
    Accumulators restored = CoderUtils.decodeFromByteArray(reader, bytes);
    AggregateFn fn = AggregateFn.of(all);
    Accumulators atOnce = fn.extractOutput(restored);
    Accumulators after =
        fn.addInput(restored, Accumulators.of(all, Samples.wholeNumbers(3).get(2)));

    Accumulators whole = Accumulators.empty(all);
    Samples.wholeNumbers(3).forEach(whole::add);
    Accumulators onlyTheLast = Accumulators.of(all, Samples.wholeNumbers(3).get(2));
    assertThat(atOnce.values().subList(0, before.size()), is(state.values()));
    assertThat(
        atOnce.values().subList(before.size(), all.size()),
        is(Accumulators.empty(all).values().subList(before.size(), all.size())));
    assertThat(
        after.values().subList(0, before.size()), is(whole.values().subList(0, before.size())));
    assertThat(
        after.values().subList(before.size(), all.size()),
        is(onlyTheLast.values().subList(before.size(), all.size())));
    assertThat(after.events(), is(3L));
  }

  @Test
  void stateOfMoreAggregatesIsNotRead() throws Exception {
    List<Aggregate> all = Samples.ONE_OF_EACH;
    byte[] bytes = CoderUtils.encodeToByteArray(AccumulatorsCoder.of(all), Accumulators.empty(all));

    assertThrows(
        CoderException.class,
        () ->
            CoderUtils.decodeFromByteArray(
                AccumulatorsCoder.of(all.subList(0, all.size() - 1)), bytes));
  }

  @Test
  void theTextOfFewerAggregatesIsNotCorrected() {
    List<Aggregate> all = Samples.ONE_OF_EACH;
    List<Aggregate> fewer = all.subList(0, all.size() - 1);
    String text = AccumulatorsCoder.of(fewer).toBase64(Accumulators.empty(fewer));

    assertThrows(IllegalArgumentException.class, () -> AccumulatorsCoder.of(all).fromBase64(text));
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
