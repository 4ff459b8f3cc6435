package dev.tidemark.transforms.aggregate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.transforms.AggregateValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.testing.CombineFnTester;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.hamcrest.FeatureMatcher;
import org.hamcrest.Matcher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AggregateFnTest {
  private static final List<Event> EVENTS =
      List.of(
          Samples.event(3, Samples.num("512.0")),
          Samples.event(1, Samples.num("35.50")),
          Samples.event(1, Samples.num("35.5")),
          Samples.event(7, Samples.num("-0.0")),
          Samples.event(7, Samples.num("1E3")));

  private static final List<@Nullable AggregateValue> VALUES =
      List.of(
          Samples.single("5"),
          Samples.single("6"),
          Samples.single("1583.00"),
          Samples.single("0.0"),
          Samples.single("1E3"),
          Samples.single("316.6"),
          Samples.single("4"),
          Samples.single("4"),
          Samples.single("35.5"),
          new AggregateValue.Ranking(
              List.of(
                  new AggregateValue.Counted(Samples.num("35.5"), 2),
                  new AggregateValue.Counted(Samples.num("0"), 1),
                  new AggregateValue.Counted(Samples.num("512"), 1))),
          Samples.single("35.5"),
          Samples.single("1E3"));

  @Test
  void anyShardingGivesTheSameValues() {
    CombineFnTester.testCombineFn(
        AggregateFn.of(Samples.ONE_OF_EACH), inputs(Samples.ONE_OF_EACH, EVENTS), values(VALUES));
  }

  @Test
  void combinesPerKeyInAPipeline() {
    AccumulatorsCoder coder = AccumulatorsCoder.of(Samples.ONE_OF_EACH);
    Pipeline pipeline = Pipeline.create();
    PCollection<KV<String, Accumulators>> merged =
        pipeline
            .apply(
                Create.of(
                        inputs(Samples.ONE_OF_EACH, EVENTS).stream()
                            .map(input -> KV.of("key", input))
                            .toList())
                    .withCoder(KvCoder.of(StringUtf8Coder.of(), coder)))
            .apply(Combine.perKey(AggregateFn.of(Samples.ONE_OF_EACH)));

    assertThat(merged.getCoder(), is(KvCoder.of(StringUtf8Coder.of(), coder)));
    PAssert.that(merged)
        .satisfies(
            results -> {
              assertThat(results.iterator().next().getValue(), values(VALUES));
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  static List<Arguments> emptyValues() {
    List<@Nullable AggregateValue> values =
        Arrays.asList(
            Samples.single("0"),
            null,
            Samples.single("0"),
            null,
            null,
            null,
            Samples.single("0"),
            Samples.single("0"),
            null,
            new AggregateValue.Ranking(List.of()),
            null,
            null);
    return IntStream.range(0, values.size())
        .mapToObj(i -> Arguments.of(Samples.ONE_OF_EACH.get(i), values.get(i)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("emptyValues")
  void aPaneWithoutEventsHasTheValueOfNothing(
      Aggregate aggregate, @Nullable AggregateValue expected) {
    Accumulators empty = AggregateFn.of(List.of(aggregate)).defaultValue();

    assertThat(Samples.valueOf(empty), is(expected));
    assertThat(
        Samples.valueOf(Samples.decode(aggregate, Samples.encode(aggregate, empty))), is(expected));
  }

  static List<Arguments> sizes() {
    return Samples.ONE_OF_EACH.stream()
        .flatMap(
            aggregate ->
                List.of(0, 1, 2, 300, 5_000).stream().map(size -> Arguments.of(aggregate, size)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void whatIsMergedAndReadStaysAsItWas(Aggregate aggregate, int size) {
    AggregateFn fn = AggregateFn.of(List.of(aggregate));
    Accumulators element = Samples.inOrder(aggregate, Samples.wholeNumbers(size));
    String before = Samples.encode(aggregate, element);

    Accumulators merged = fn.mergeAccumulators(List.of(element, element));
    fn.addInput(merged, element);
    merged.add(EVENTS.get(0));
    element.values();

    assertThat(Samples.encode(aggregate, element), is(before));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void anOutputIsAnExactCopyThatStaysAsItWas(Aggregate aggregate, int size) {
    AggregateFn fn = AggregateFn.of(List.of(aggregate));
    Accumulators state = Samples.inOrder(aggregate, Samples.wholeNumbers(size));
    List<@Nullable AggregateValue> before = state.values();

    Accumulators output = fn.extractOutput(state);
    state.add(EVENTS.get(0));
    state.merge(Samples.inOrder(aggregate, Samples.wholeNumbers(1_000)));

    assertThat(output.values(), is(before));
  }

  private static List<Accumulators> inputs(List<Aggregate> aggregates, List<Event> events) {
    return events.stream().map(event -> Accumulators.of(aggregates, event)).toList();
  }

  private static Matcher<Accumulators> values(List<@Nullable AggregateValue> expected) {
    return new FeatureMatcher<>(is(expected), "accumulators with values", "values") {
      @Override
      protected List<@Nullable AggregateValue> featureValueOf(Accumulators actual) {
        return actual.values();
      }
    };
  }
}
