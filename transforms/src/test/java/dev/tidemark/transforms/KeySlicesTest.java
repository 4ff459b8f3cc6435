package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.windowing.AssignedWindows;
import dev.tidemark.transforms.windowing.Slices;
import dev.tidemark.transforms.windowing.Slices.Slice;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.joda.time.Duration;
import org.joda.time.Instant;

class KeySlicesTest {
  /** Of powers of two, so that it tells the events. */
  private static final List<Aggregate> SUM = List.of(new Aggregate.Sum(new Pointer("/v")));

  @Property(tries = 1_000)
  void eachSlidingWindowHasWhatItsSlicesHave(
      @ForAll @IntRange(min = 1, max = 10) int period,
      @ForAll @IntRange(max = 100) int longer,
      @ForAll @Size(min = 1, max = 60) Set<@IntRange(max = 200) Integer> times) {
    assertSame(
        SlidingWindows.of(Duration.millis(period + longer)).every(Duration.millis(period)), times);
  }

  @Property(tries = 100)
  void eachFixedWindowHasWhatItsSliceHas(
      @ForAll @Size(min = 1, max = 60) Set<@IntRange(max = 200) Integer> times) {
    assertSame(FixedWindows.of(Duration.millis(7)), times);
  }

  private static void assertSame(WindowFn<Object, ?> windowFn, Set<Integer> times) {
    assertThat(bySlices(windowFn, times), is(byWindows(windowFn, times)));
  }

  private static Map<BoundedWindow, BigDecimal> byWindows(
      WindowFn<Object, ?> windowFn, Set<Integer> times) {
    Map<BoundedWindow, BigDecimal> sums = new HashMap<>();
    for (int time : times) {
      for (BoundedWindow window : AssignedWindows.of(windowFn, Instant.ofEpochMilli(time))) {
        sums.merge(window, power(time), BigDecimal::add);
      }
    }
    return sums;
  }

  private static Map<BoundedWindow, BigDecimal> bySlices(
      WindowFn<Object, ?> windowFn, Set<Integer> times) {
    Map<BoundedWindow, BigDecimal> sums = new HashMap<>();
    ofSlices(Slices.of(windowFn), times)
        .forEachWindow(
            (window, values) ->
                assertThat("given before", sums.put(window, sum(values)), is(nullValue())));
    return sums;
  }

  private static KeySlices ofSlices(Slices slices, Set<Integer> times) {
    Map<Slice, Accumulators> bySlice = new TreeMap<>(Comparator.comparing(Slice::start));
    for (int time : times) {
      bySlice
          .computeIfAbsent(slices.at(Instant.ofEpochMilli(time)), unused -> Accumulators.empty(SUM))
          .add(event(time));
    }
    KeySlices ofKey = new KeySlices(SUM);
    bySlice.forEach((slice, values) -> ofKey.add(slices.windows(slice), values));
    return ofKey;
  }

  private static BigDecimal sum(Accumulators values) {
    AggregateValue.Single single = (AggregateValue.Single) values.values().get(0);
    return ((Scalar.Num) single.scalar()).value();
  }

  private static Event event(int time) {
    return new Event(
        new EventKey(List.of()),
        Instant.ofEpochMilli(time),
        List.of(new Scalar.Num(power(time))),
        new RawRecord(new byte[0], new Origin.FileLine("f", 0, 1L), Instant.EPOCH));
  }

  private static BigDecimal power(int exponent) {
    return new BigDecimal(BigInteger.TWO.pow(exponent));
  }
}
