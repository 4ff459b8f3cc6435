package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Policies;
import dev.tidemark.transforms.aggregate.Accumulators;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BundleCombinerTest {
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final Duration MINUTE = Duration.standardMinutes(1);
  private static final Windowing FIXED = new Windowing.Fixed(MINUTE, Duration.ZERO);
  private static final Windowing SLIDING =
      new Windowing.Sliding(MINUTE.multipliedBy(3), MINUTE, Duration.ZERO);

  private record Emitted(EventKey key, @Nullable ResultWindow window, long events, Instant time) {}

  @Test
  void anEventIsOneUpdateAndStillInEachOfItsWindows() {
    BundleCombiner combiner = bounded(policy(SLIDING, Trigger.DEFAULT));
    combiner.add(event("a", 70));
    combiner.add(event("a", 80));
    combiner.add(event("a", 10));
    Map<Long, Long> eventsByStart = new HashMap<>();
    for (Emitted emitted : emitted(combiner)) {
      eventsByStart.put(
          new Duration(START, emitted.window().start()).getStandardSeconds(), emitted.events());
    }
    assertThat(eventsByStart, is(Map.of(-120L, 1L, -60L, 3L, 0L, 3L, 60L, 2L)));
  }

  @Test
  void whatIsEmittedHasTheEarliestTimeOfItsWindowAndIsGone() {
    BundleCombiner combiner = bounded(policy(FIXED, Trigger.DEFAULT));
    combiner.add(event("a", 50));
    combiner.add(event("b", 20));
    List<Emitted> emitted = emitted(combiner);
    assertThat(emitted.stream().map(Emitted::time).distinct().toList(), is(List.of(time(20))));
    assertThat(emitted.size(), is(2));
    assertThat(emitted(combiner), is(List.of()));
  }

  @Test
  void ofUnboundedEventsItCombinesThoseWhoseWindowsEndAfterTheClock() {
    BundleCombiner combiner =
        started(
            BundleCombiner.of(
                policy(SLIDING, Trigger.DEFAULT), IsBounded.UNBOUNDED, () -> time(120)));
    combiner.add(event("a", 50)); // in a window that ends at 60
    combiner.add(event("a", 119)); // in one that ends at 120
    combiner.add(event("a", 120));
    List<Emitted> emitted = emitted(combiner);
    assertThat(emitted.stream().map(Emitted::time).distinct().toList(), is(List.of(time(120))));
    assertThat(emitted.size(), is(3));
  }

  @Test
  void eventsThatMayBeLateLeaveInBatchesOfTheSameWindows() {
    BundleCombiner combiner =
        started(BundleCombiner.of(policy(SLIDING, Trigger.DEFAULT), IsBounded.UNBOUNDED, null));
    Event first = event("a", 50);
    Event second = event("b", 10);
    Event ofNextSlice = event("a", 60);
    combiner.add(first);
    combiner.add(ofNextSlice);
    combiner.add(second);
    assertThat(
        batches(combiner),
        is(Map.of(time(10), List.of(first, second), time(60), List.of(ofNextSlice))));
    assertThat(batches(combiner), is(Map.of()));
  }

  @Test
  void itIsFullOfEventsToJudgeBeforeABatchIsLarge() {
    BundleCombiner combiner =
        started(BundleCombiner.of(policy(FIXED, Trigger.DEFAULT), IsBounded.UNBOUNDED, null));
    assertThat(mebibytesTaken(combiner, unused -> "a"), is(4));
  }

  @Test
  void itTakesNoneForTriggersThatCountOrWindowsThatMerge() {
    Trigger counting = new Trigger(new Trigger.Count(2), Trigger.DEFAULT.late());
    assertThat(bounded(policy(FIXED, counting)).add(event("a", 1)), is(false));
    Windowing sessions = new Windowing.Sessions(MINUTE, null);
    assertThat(bounded(policy(sessions, Trigger.DEFAULT)).add(event("a", 1)), is(false));
  }

  @Test
  void aBoundedEventThatIsNotCombinedLeavesAsValuesOfItsOwn() {
    BundleCombiner sessions =
        bounded(policy(new Windowing.Sessions(MINUTE, null), Trigger.DEFAULT));
    assertThat(
        alone(sessions, event("a", 10)),
        is(List.of(new Emitted(event("a", 10).key(), window(10, 70), 1, time(10)))));
    Trigger counting = new Trigger(new Trigger.Count(2), Trigger.DEFAULT.late());
    BundleCombiner sliding = bounded(policy(SLIDING, counting));
    assertThat(
        alone(sliding, event("a", 10)).stream().map(Emitted::window).collect(Collectors.toSet()),
        is(Set.of(window(-120, 60), window(-60, 120), window(0, 180))));
  }

  @Test
  void anUnboundedEventThatIsNotCombinedIsToBeJudged() {
    Policy policy = policy(new Windowing.Sessions(MINUTE, null), Trigger.DEFAULT);
    BundleCombiner combiner = started(BundleCombiner.of(policy, IsBounded.UNBOUNDED, null));
    Emissions emissions = new Emissions();
    Event event = event("a", 10);
    combiner.emitAlone(event, emissions);
    assertThat(emissions.batches, is(Map.of(time(10), List.of(event))));
    assertThat(emissions.emitted, is(List.of()));
  }

  private static List<Emitted> alone(BundleCombiner combiner, Event event) {
    Emissions emissions = new Emissions();
    combiner.emitAlone(event, emissions);
    return emissions.emitted;
  }

  private static ResultWindow window(long startSecond, long endSecond) {
    return new ResultWindow(time(startSecond), time(endSecond));
  }

  @Test
  void itIsFullOfManyKeysBeforeMemoryIsFull() {
    Policy sketches =
        policy(FIXED, Trigger.DEFAULT, new Aggregate.Distinct(new Pointer("/v"), false));
    assertThat(keysTaken(bounded(sketches)), is(20_000));
    assertThat(keysTaken(bounded(policy(FIXED, Trigger.DEFAULT))), is(200_000));
  }

  private static int keysTaken(BundleCombiner combiner) {
    int taken = 0;
    while (!combiner.isFull()) {
      combiner.add(event("k" + taken++, 1));
    }
    assertThat(emitted(combiner).size(), is(taken));
    assertThat(combiner.isFull(), is(false));
    return taken;
  }

  @Test
  void itIsFullOfManyBytesBeforeMemoryIsFull() {
    Policy distinct =
        policy(FIXED, Trigger.DEFAULT, new Aggregate.Distinct(new Pointer("/v"), true));
    assertThat(mebibytesTaken(bounded(distinct), unused -> "a"), is(64));
    BundleCombiner values = bounded(policy(FIXED, Trigger.DEFAULT));
    assertThat(mebibytesTaken(values, taken -> "k" + taken), is(64));
  }

  @Test
  void aValueThatTakesThePlaceOfAnotherFillsItWithWhatItsRecordIsLargerBy() {
    BundleCombiner combiner = bounded(policy(FIXED, Trigger.DEFAULT));
    for (int i = 0; i < 100; i++) {
      combiner.add(event("a", 1, 1 << 20));
    }
    assertThat(combiner.isFull(), is(false));
    combiner.add(event("a", 1, 0));
    combiner.add(event("a", 1, (64 << 20) - 1));
    assertThat(combiner.isFull(), is(false));
    combiner.add(event("a", 1, 64 << 20));
    assertThat(combiner.isFull(), is(true));
  }

  private static int mebibytesTaken(BundleCombiner combiner, IntFunction<String> key) {
    int taken = 0;
    while (!combiner.isFull()) {
      combiner.add(event(key.apply(taken), 1, 1 << 20));
      taken++;
    }
    emitted(combiner);
    assertThat(combiner.isFull(), is(false));
    return taken;
  }

  @Test
  void itLeavesTimesThatBeamHasOtherWindowsFor() {
    BundleCombiner combiner = bounded(policy(FIXED, Trigger.DEFAULT));
    Event old = event("a", -Duration.standardDays(20_000).getStandardSeconds());
    assertThat(combiner.add(old), is(false));
  }

  private static List<Emitted> emitted(BundleCombiner combiner) {
    Emissions emissions = new Emissions();
    combiner.emit(emissions);
    return emissions.emitted;
  }

  private static Map<Instant, List<Event>> batches(BundleCombiner combiner) {
    Emissions emissions = new Emissions();
    combiner.emit(emissions);
    return emissions.batches;
  }

  private static final class Emissions implements BundleCombiner.Receiver {
    private final List<Emitted> emitted = new ArrayList<>();
    private final Map<Instant, List<Event>> batches = new HashMap<>();

    @Override
    public void combined(
        KV<KV<EventKey, @Nullable ResultWindow>, Accumulators> values, Instant earliest) {
      emitted.add(
          new Emitted(
              values.getKey().getKey(),
              values.getKey().getValue(),
              values.getValue().events(),
              earliest));
    }

    @Override
    public void toJudge(List<Event> events, Instant earliest) {
      batches.put(earliest, events);
    }
  }

  private static BundleCombiner bounded(Policy policy) {
    return started(BundleCombiner.of(policy, IsBounded.BOUNDED, null));
  }

  private static BundleCombiner started(BundleCombiner combiner) {
    combiner.start();
    return combiner;
  }

  private static Policy policy(Windowing windowing, Trigger trigger) {
    return policy(windowing, trigger, new Aggregate.Count());
  }

  private static Policy policy(Windowing windowing, Trigger trigger, Aggregate aggregate) {
    return Policies.of(
        windowing,
        trigger,
        Duration.ZERO,
        Accumulation.ACCUMULATING,
        TooLate.QUARANTINE,
        Map.of("n", aggregate));
  }

  private static Event event(String key, long second) {
    return event(key, second, 0);
  }

  private static Event event(String key, long second, int bytes) {
    RawRecord raw = new RawRecord(new byte[bytes], new Origin.FileLine("f", 0, 1L), Instant.EPOCH);
    return new Event(
        new EventKey(List.of(new Scalar.Text(key))),
        time(second),
        List.of(new Scalar.Num(BigDecimal.ONE)),
        raw);
  }

  private static Instant time(long second) {
    return START.plus(Duration.standardSeconds(second));
  }
}
