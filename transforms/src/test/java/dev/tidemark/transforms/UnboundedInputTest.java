package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Arrivals;
import dev.tidemark.testkit.Counters;
import dev.tidemark.testkit.Gather;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.ReferenceWindows;
import dev.tidemark.testkit.UnboundedNumbers;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A real unbounded source with several splits, whose bundles overtake each other: which events are
 * late differs from run to run, but each ends in exactly one place for each of its windows.
 */
@ExtendWith(PipelineExtension.class)
class UnboundedInputTest {
  private static final long EVENTS = 3_000;
  private static final int KEYS = 50;
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final Duration MINUTE = Duration.standardMinutes(1);
  private static final Duration EVERY = Duration.millis(100);

  /** The highest watermark that any split has reported: no watermark can pass such a clock. */
  private static final AtomicLong NOW = new AtomicLong();

  private static final WallClock CLOCK = () -> Instant.ofEpochMilli(NOW.get());

  /** How far back the runs of events go; the policies allow for a lateness of one minute. */
  private static final Duration OUT_OF_ORDER = Duration.standardSeconds(20);

  private static final Duration LATE = Duration.standardSeconds(90);
  private static final Duration TOO_LATE = Duration.standardHours(1);

  /** One event in one place: counted in a window, or too late for it. */
  private record Placed(EventKey key, @Nullable ResultWindow window, String id) {}

  static Stream<Arguments> policies() {
    Windowing fixed = new Windowing.Fixed(MINUTE, Duration.ZERO);
    Windowing sliding = new Windowing.Sliding(MINUTE, MINUTE.dividedBy(3), Duration.ZERO);
    Windowing sessions = new Windowing.Sessions(MINUTE.dividedBy(6), null);
    return Stream.of(
        Arguments.of(fixed, Accumulation.DISCARDING, true),
        Arguments.of(fixed, Accumulation.RETRACTING, false),
        Arguments.of(sliding, Accumulation.RETRACTING, true),
        Arguments.of(sliding, Accumulation.DISCARDING, false),
        Arguments.of(sessions, Accumulation.DISCARDING, true),
        Arguments.of(sessions, Accumulation.RETRACTING, false));
  }

  @BeforeEach
  void resetClock() {
    NOW.set(Long.MIN_VALUE);
  }

  @ParameterizedTest(name = "{0}, {1}, every element judged: {2}")
  @MethodSource("policies")
  void eachEventEndsInOnePlaceForEachOfItsWindows(
      Windowing windowing, Accumulation accumulation, boolean judgeAll, TestPipeline pipeline) {
    Policy policy = policy(windowing, accumulation);
    WindowedAggregation aggregation = WindowedAggregation.of(policy);
    Gather<WindowResult> results = new Gather<>();
    Gather<TooLateEvent> tooLate = new Gather<>();
    pipeline.getOptions().as(DirectOptions.class).setTargetParallelism(4);

    WindowedAggregation.Output output =
        events(pipeline, policy).apply(judgeAll ? aggregation : aggregation.withWallClock(CLOCK));
    output.results().apply("Gather results", ParDo.of(results));
    output.tooLate().apply("Gather too late", ParDo.of(tooLate));
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();

    Counters counters = Counters.of(result);
    Map<Placed, Long> counted = counted(windowing, results.gathered());
    Map<Placed, Long> missed = missed(windowing, tooLate.gathered());
    Map<Placed, Long> expected = expected(policy);
    long assigned = expected.values().stream().mapToLong(Long::longValue).sum();
    assertThat(counters.get("assigned"), is(assigned));
    assertThat(counters.get("counted") + counters.get("tooLate"), is(assigned));
    assertThat(counters.get("tooLate"), is(greaterThan(0L)));
    assertThat(counters.droppedByBeam(), is(0L));
    assertThat(sum(counted, missed), is(expected));
  }

  private static PCollection<Event> events(TestPipeline pipeline, Policy policy) {
    return pipeline
        .apply(
            Read.from(
                UnboundedNumbers.of(
                    EVENTS, UnboundedInputTest::time, UnboundedInputTest::watermark)))
        .apply("Make events", ParDo.of(new MakeEvents(policy)))
        .setCoder(EventCoder.of());
  }

  /** Steadily on, but some events go back in time. */
  private static Instant time(long number) {
    Instant steady = START.plus(EVERY.multipliedBy(number));
    if (number % 97 == 0) {
      return steady.minus(TOO_LATE);
    }
    return number % 31 == 0
        ? steady.minus(LATE)
        : steady.minus(Duration.millis(number * 7919 % 20_000));
  }

  private static Instant watermark(long number) {
    Instant watermark = START.plus(EVERY.multipliedBy(number)).minus(OUT_OF_ORDER);
    NOW.accumulateAndGet(watermark.getMillis(), Math::max);
    return watermark;
  }

  private static Policy policy(Windowing windowing, Accumulation accumulation) {
    return Policies.of(
        windowing,
        new Trigger(new Trigger.Count(5), new Trigger.Count(1)),
        MINUTE,
        accumulation,
        TooLate.QUARANTINE,
        Map.of("ids", new Aggregate.Top(new Pointer("/s"), (int) EVENTS)));
  }

  private static Event event(Policy policy, long number) {
    return Arrivals.event(
        policy,
        number,
        "key-" + number % KEYS,
        time(number),
        BigDecimal.ONE,
        new Scalar.Text(String.valueOf(number)));
  }

  private static Map<Placed, Long> expected(Policy policy) {
    Map<Placed, Long> expected = new HashMap<>();
    LongStream.range(0, EVENTS)
        .mapToObj(number -> event(policy, number))
        .forEach(
            event ->
                ReferenceWindows.of(policy.windowing(), event.timestamp())
                    .forEach(
                        window ->
                            add(
                                expected,
                                policy.windowing(),
                                event.key(),
                                new ResultWindow(
                                    Objects.requireNonNull(window.start()),
                                    Objects.requireNonNull(window.end())),
                                id(event),
                                1)));
    return expected;
  }

  /** What all panes add up to, what they take back subtracted. */
  private static Map<Placed, Long> counted(Windowing windowing, List<WindowResult> results) {
    Map<Placed, Long> counted = new HashMap<>();
    for (WindowResult result : results) {
      for (AggregateValue.Counted id :
          ((AggregateValue.Ranking) Objects.requireNonNull(result.value().get(0))).entries()) {
        add(
            counted,
            windowing,
            result.key(),
            Objects.requireNonNull(result.window()),
            ((Scalar.Text) id.value()).value(),
            result.kind() == ResultKind.RETRACTION ? -id.count() : id.count());
      }
    }
    counted.values().removeIf(times -> times == 0);
    return counted;
  }

  private static Map<Placed, Long> missed(Windowing windowing, List<TooLateEvent> tooLate) {
    Map<Placed, Long> missed = new HashMap<>();
    for (TooLateEvent event : tooLate) {
      add(missed, windowing, event.event().key(), event.window(), id(event.event()), 1);
    }
    return missed;
  }

  /** The window of a session depends on the order of arrival, so only the key is looked at. */
  private static void add(
      Map<Placed, Long> places,
      Windowing windowing,
      EventKey key,
      ResultWindow window,
      String id,
      long times) {
    boolean sessions = windowing instanceof Windowing.Sessions;
    places.merge(new Placed(key, sessions ? null : window, id), times, Long::sum);
  }

  private static Map<Placed, Long> sum(Map<Placed, Long> some, Map<Placed, Long> others) {
    Map<Placed, Long> sum = new HashMap<>(some);
    others.forEach((place, times) -> sum.merge(place, times, Long::sum));
    return sum;
  }

  private static String id(Event event) {
    return ((Scalar.Text) Objects.requireNonNull(event.values().get(0))).value();
  }

  static final class MakeEvents extends DoFn<Long, Event> {
    private final Policy policy;

    MakeEvents(Policy policy) {
      this.policy = policy;
    }

    @ProcessElement
    public void process(@Element Long number, OutputReceiver<Event> out) {
      out.output(event(policy, number));
    }
  }
}
