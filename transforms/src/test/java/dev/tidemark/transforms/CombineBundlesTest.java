package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.event.Scalar;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Arrivals;
import dev.tidemark.testkit.BatchRun;
import dev.tidemark.testkit.Gather;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.ReferenceWindows;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.Step;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** That events are combined before they are shuffled does not show in what a window comes to. */
class CombineBundlesTest {
  private static final Instant TIME = Instant.parse("2026-07-04T10:00:00Z");

  @Provide
  Arbitrary<Scenario> scenarios() {
    return UpToBundles.scenarios();
  }

  /** Sessions are left out: they are not combined, and their firings replace each other. */
  @Provide
  Arbitrary<Scenario> accumulating() {
    return Scenario.of(
        Policies.any()
            .filter(policy -> !(policy.windowing() instanceof Windowing.Sessions))
            .map(CombineBundlesTest::accumulating));
  }

  private static Policy accumulating(Policy policy) {
    return Policies.of(
        policy.windowing(),
        policy.trigger(),
        policy.allowedLateness(),
        Accumulation.ACCUMULATING,
        policy.tooLate(),
        policy.aggregates());
  }

  @Property(tries = 150)
  void whatCannotBeLateComesToWhatSingleArrivalsComeTo(
      @ForAll("scenarios") Scenario scenario, @ForAll @IntRange(min = 1, max = 6) int bundle) {
    WallClock clock = clockAtHighestWatermark(scenario.steps());
    UpToBundles.assertSame(
        scenario, ScriptedRun.withWallClock(scenario.policy(), scenario.steps(), clock, bundle));
  }

  @Test
  void lateEventsOfABundleMakeOnePane() {
    assertThat(panesOfLateEvents(new Trigger.Count(1)), is(List.of("2", "4", "6", "8")));
  }

  @Test
  void lateEventsAreCountedNotTheirBundles() {
    assertThat(panesOfLateEvents(new Trigger.Count(4)), is(List.of("2", "6", "8")));
  }

  /** How many events each pane has of eight late ones of one key and window, in bundles of two. */
  private static List<String> panesOfLateEvents(Trigger.Count late) {
    Policy policy =
        Policies.of(
            new Windowing.Fixed(Duration.standardMinutes(1), Duration.ZERO),
            new Trigger(null, late),
            Duration.standardHours(1),
            Accumulation.ACCUMULATING,
            TooLate.QUARANTINE,
            Map.of("n", new Aggregate.Count()));
    List<Step> steps = new ArrayList<>();
    steps.add(new Step.Advance(TIME.plus(Duration.standardMinutes(2))));
    for (int line = 1; line <= 8; line++) {
      Scalar none = new Scalar.Bool(true);
      steps.add(new Step.Arrive(Arrivals.event(policy, line, "a", TIME, BigDecimal.ONE, none)));
    }
    return ScriptedRun.of(policy, steps, 2).results().stream()
        .sorted(Comparator.comparing(WindowResult::firingSequence))
        .map(result -> String.valueOf(InModelTerms.values(result.value()).get(0)))
        .toList();
  }

  private static WallClock clockAtHighestWatermark(List<Step> steps) {
    Instant highest =
        steps.stream()
            .filter(Step.Advance.class::isInstance)
            .map(step -> ((Step.Advance) step).watermark())
            .max(Instant::compareTo)
            .orElse(Instant.EPOCH);
    return () -> highest;
  }

  @Property(tries = 100)
  void boundedEventsComeToWhatEachAggregateIsOfThem(@ForAll("accumulating") Scenario scenario) {
    assertThat(
        latest(results(scenario, new GlobalWindows())),
        is(BatchRun.of(scenario.policy(), scenario.steps())));
  }

  @Property(tries = 20)
  void theWindowsThatEventsComeInDoNotMatter(@ForAll("accumulating") Scenario scenario) {
    assertThat(
        latest(results(scenario, FixedWindows.of(Duration.standardMinutes(1)))),
        is(BatchRun.of(scenario.policy(), scenario.steps())));
  }

  private static List<WindowResult> results(Scenario scenario, WindowFn<Object, ?> windowFn) {
    List<TimestampedValue<Event>> events =
        scenario.steps().stream()
            .filter(Step.Arrive.class::isInstance)
            .map(step -> ((Step.Arrive) step).event())
            .map(event -> TimestampedValue.of(event, event.timestamp()))
            .toList();
    Pipeline pipeline = PipelineExtension.newPipeline();
    Gather<WindowResult> results = new Gather<>();
    pipeline
        .apply(Create.timestamped(events).withCoder(EventCoder.of()))
        .apply("Come in windows", Window.into(windowFn))
        .apply("Aggregate", WindowedAggregation.of(scenario.policy()))
        .results()
        .apply("Gather results", ParDo.of(results));
    pipeline.run().waitUntilFinish();
    return results.gathered();
  }

  /** The values of the last firing of each window. */
  private static Map<BatchRun.Row, List<@Nullable Object>> latest(List<WindowResult> results) {
    Map<BatchRun.Row, WindowResult> latest = new HashMap<>();
    for (WindowResult result : results) {
      latest.merge(
          new BatchRun.Row(result.key(), window(result)),
          result,
          (a, b) -> a.firingSequence() > b.firingSequence() ? a : b);
    }
    Map<BatchRun.Row, List<@Nullable Object>> values = new HashMap<>();
    latest.forEach((row, result) -> values.put(row, InModelTerms.values(result.value())));
    return values;
  }

  private static ReferenceWindows.Window window(WindowResult result) {
    ResultWindow window = result.window();
    return window == null
        ? ReferenceWindows.Window.GLOBAL
        : new ReferenceWindows.Window(window.start(), window.end());
  }
}
