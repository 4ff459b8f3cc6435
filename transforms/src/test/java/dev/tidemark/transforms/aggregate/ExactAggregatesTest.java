package dev.tidemark.transforms.aggregate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.transforms.AggregateValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Each exact aggregate against a computation over the whole list of events. */
class ExactAggregatesTest {
  private static final Comparator<Event> BY_TIME_THEN_VALUE =
      Comparator.comparing(Event::timestamp).thenComparing(ExactAggregatesTest::scalar);

  /** An aggregate and its definition over a list that is not empty. */
  private record Definition(Aggregate aggregate, Function<List<Event>, AggregateValue> value) {
    @Override
    public String toString() {
      return aggregate.toString();
    }
  }

  private static final List<Definition> OF_NUMBERS =
      List.of(
          new Definition(new Aggregate.Sum(Samples.FIELD), ExactAggregatesTest::sum),
          new Definition(
              new Aggregate.Min(Samples.FIELD),
              events ->
                  single(
                      events.stream()
                          .map(ExactAggregatesTest::scalar)
                          .min(Comparator.naturalOrder())
                          .orElseThrow())),
          new Definition(
              new Aggregate.Max(Samples.FIELD),
              events ->
                  single(
                      events.stream()
                          .map(ExactAggregatesTest::scalar)
                          .max(Comparator.naturalOrder())
                          .orElseThrow())),
          new Definition(new Aggregate.Mean(Samples.FIELD), ExactAggregatesTest::mean),
          new Definition(
              new Aggregate.Quantile(Samples.FIELD, 0), events -> nearestRank(events, "0")),
          new Definition(
              new Aggregate.Quantile(Samples.FIELD, 0.5), events -> nearestRank(events, "0.5")),
          new Definition(
              new Aggregate.Quantile(Samples.FIELD, 0.9), events -> nearestRank(events, "0.9")),
          new Definition(
              new Aggregate.Quantile(Samples.FIELD, 1), events -> nearestRank(events, "1")));

  private static final List<Definition> OF_ANYTHING =
      List.of(
          new Definition(new Aggregate.Count(), events -> single(Samples.num("" + events.size()))),
          new Definition(new Aggregate.Elapsed(), ExactAggregatesTest::elapsed),
          new Definition(
              new Aggregate.Distinct(Samples.FIELD, true), ExactAggregatesTest::distinct),
          new Definition(
              new Aggregate.Distinct(Samples.FIELD, false), ExactAggregatesTest::distinct),
          new Definition(new Aggregate.Top(Samples.FIELD, 3), ExactAggregatesTest::top3),
          new Definition(
              new Aggregate.First(Samples.FIELD),
              events -> single(scalar(events.stream().min(BY_TIME_THEN_VALUE).orElseThrow()))),
          new Definition(
              new Aggregate.Last(Samples.FIELD),
              events -> single(scalar(events.stream().max(BY_TIME_THEN_VALUE).orElseThrow()))));

  @Property(tries = 2000)
  void numbersGiveTheDefinedValueInAnyOrderAndGrouping(
      @ForAll("ofNumbers") Definition definition,
      @ForAll("numbers") List<Event> events,
      @ForAll Random random) {
    assertDefined(definition, events, random);
  }

  @Property(tries = 2000)
  void scalarsGiveTheDefinedValueInAnyOrderAndGrouping(
      @ForAll("ofAnything") Definition definition,
      @ForAll("scalars") List<Event> events,
      @ForAll Random random) {
    assertDefined(definition, events, random);
  }

  private static void assertDefined(Definition definition, List<Event> events, Random random) {
    AggregateValue defined = definition.value().apply(events);

    Accumulators ordered = Samples.inOrder(definition.aggregate(), events);
    Accumulators combined = Samples.inAnyWay(definition.aggregate(), events, random);

    assertThat(Samples.valueOf(ordered), is(defined));
    assertThat(Samples.valueOf(combined), is(defined));
  }

  @Provide
  Arbitrary<Definition> ofNumbers() {
    return Arbitraries.of(OF_NUMBERS);
  }

  @Provide
  Arbitrary<Definition> ofAnything() {
    return Arbitraries.of(OF_ANYTHING);
  }

  @Provide
  Arbitrary<List<Event>> numbers() {
    return events(nums());
  }

  @Provide
  Arbitrary<List<Event>> scalars() {
    return events(
        Arbitraries.oneOf(
            nums(),
            Arbitraries.of(true, false).map(Scalar.Bool::new),
            Arbitraries.of("", "a", "b", "B", "1", "é", "\uD83D\uDE00").map(Scalar.Text::new)));
  }

  private static Arbitrary<Scalar> nums() {
    return Arbitraries.oneOf(
            Arbitraries.of("0", "-0.0", "0.00", "0E+3", "1", "1.0", "1.00", "1000", "1E3", "1E-30"),
            Arbitraries.of("7", "-7").map(digit -> digit + "3".repeat(399)),
            Arbitraries.of("7", "-7").map(digit -> digit + "." + "3".repeat(399)),
            Arbitraries.integers().between(-100_000, 100_000).map(cents -> cents + "E-2"))
        .map(Samples::num);
  }

  private static Arbitrary<List<Event>> events(Arbitrary<? extends Scalar> scalars) {
    Arbitrary<Long> times =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 4),
            Arbitraries.longs().between(-9_000_000_000_000L, 9_000_000_000_000L));
    return Combinators.combine(times, scalars).as(Samples::event).list().ofMinSize(1).ofMaxSize(30);
  }

  private static Scalar scalar(Event event) {
    return Objects.requireNonNull(event.values().get(0));
  }

  private static BigDecimal number(Event event) {
    return ((Scalar.Num) scalar(event)).value();
  }

  private static AggregateValue single(Scalar scalar) {
    return new AggregateValue.Single(scalar);
  }

  private static BigDecimal total(List<Event> events) {
    return events.stream()
        .map(ExactAggregatesTest::number)
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static AggregateValue sum(List<Event> events) {
    int scale = events.stream().mapToInt(event -> number(event).scale()).max().orElse(0);
    return single(new Scalar.Num(total(events).setScale(Math.max(0, scale))));
  }

  private static AggregateValue mean(List<Event> events) {
    BigDecimal mean =
        total(events).divide(BigDecimal.valueOf(events.size()), MathContext.DECIMAL128);
    return single(
        Samples.num(mean.signum() == 0 ? "0" : mean.stripTrailingZeros().toPlainString()));
  }

  private static AggregateValue nearestRank(List<Event> events, String q) {
    List<Double> sorted = events.stream().map(ExactAggregatesTest::nearestDouble).sorted().toList();
    int rank =
        new BigDecimal(q)
            .multiply(BigDecimal.valueOf(events.size()))
            .setScale(0, RoundingMode.CEILING)
            .intValueExact();
    return single(new Scalar.Num(BigDecimal.valueOf(sorted.get(Math.max(1, rank) - 1))));
  }

  private static double nearestDouble(Event event) {
    double number = number(event).doubleValue();
    return Double.isInfinite(number) ? Math.copySign(Double.MAX_VALUE, number) : number;
  }

  private static AggregateValue elapsed(List<Event> events) {
    List<Long> times =
        events.stream().map(event -> event.timestamp().getMillis()).sorted().toList();
    return single(Samples.num("" + (times.get(times.size() - 1) - times.get(0))));
  }

  private static AggregateValue distinct(List<Event> events) {
    return single(Samples.num("" + counts(events).size()));
  }

  private static AggregateValue top3(List<Event> events) {
    List<AggregateValue.Counted> ranking = new ArrayList<>();
    counts(events).forEach((value, count) -> ranking.add(new AggregateValue.Counted(value, count)));
    ranking.sort(
        (a, b) ->
            a.count() != b.count()
                ? Long.compare(b.count(), a.count())
                : a.value().compareTo(b.value()));
    return new AggregateValue.Ranking(ranking.subList(0, Math.min(3, ranking.size())));
  }

  private static Map<Scalar, Long> counts(List<Event> events) {
    return events.stream()
        .collect(Collectors.groupingBy(event -> scalar(event).canonical(), Collectors.counting()));
  }
}
