package dev.tidemark.testkit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;

import dev.tidemark.event.Event;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceModel.Kind;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.beam.sdk.coders.BigDecimalCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterProcessingTime;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.Trigger.OnceTrigger;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;

/** The model says what Beam does, wherever Beam has the window type itself. */
class BeamAgreesTest {
  private static final Queue<Pane> PANES = new ConcurrentLinkedQueue<>();

  /** A firing without what Beam knows nothing of. */
  private record Pane(
      String key, Window window, Kind kind, long firing, int count, BigDecimal sum) {}

  @Property(tries = 100)
  void theModelFiresThePanesThatBeamFires(@ForAll("beamScenarios") Scenario scenario) {
    assertThat(
        panesOfBeam(scenario), containsInAnyOrder(panesOfModel(scenario).toArray(Pane[]::new)));
  }

  @Provide
  Arbitrary<Scenario> beamScenarios() {
    Arbitrary<Windowing> windowings =
        Arbitraries.oneOf(
            Policies.windowings().filter(windowing -> windowFn(windowing) != null),
            Policies.sessions().map(BeamAgreesTest::unbounded));
    return Scenario.of(windowings.flatMap(Policies::over).map(BeamAgreesTest::countAndSum));
  }

  private static Windowing unbounded(Windowing windowing) {
    return new Windowing.Sessions(((Windowing.Sessions) windowing).gap(), null);
  }

  private static Policy countAndSum(Policy policy) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    aggregates.put("count", new Aggregate.Count());
    aggregates.put("sum", new Aggregate.Sum(new Pointer("/v")));
    return Policies.of(
        policy.windowing(),
        policy.trigger(),
        policy.allowedLateness(),
        policy.accumulation(),
        TooLate.QUARANTINE,
        aggregates);
  }

  private static List<Pane> panesOfModel(Scenario scenario) {
    return ReferenceModel.run(scenario.policy(), scenario.steps(), Duration.ZERO).results().stream()
        .filter(result -> result.kind() != Kind.RETRACTION)
        .map(
            result ->
                new Pane(
                    result.key().toString(),
                    result.window(),
                    result.kind(),
                    result.firingSequence(),
                    ((BigDecimal) result.value().get(0)).intValue(),
                    ((BigDecimal) result.value().get(1)).setScale(2)))
        .toList();
  }

  private static List<Pane> panesOfBeam(Scenario scenario) {
    PANES.clear();
    TestPipeline pipeline = PipelineExtension.newPipeline();
    pipeline
        .apply("Arrivals", stream(scenario.steps()))
        .apply("Window", window(scenario.policy()))
        .apply("Group", GroupByKey.create())
        .apply("Keep panes", ParDo.of(new KeepPanes()));
    pipeline.run().waitUntilFinish();
    return List.copyOf(PANES);
  }

  private static TestStream<KV<String, BigDecimal>> stream(List<Step> steps) {
    TestStream.Builder<KV<String, BigDecimal>> stream =
        TestStream.create(KvCoder.of(StringUtf8Coder.of(), BigDecimalCoder.of()));
    for (Step step : steps) {
      if (step instanceof Step.Arrive arrive) {
        Event event = arrive.event();
        BigDecimal number = (BigDecimal) ReferenceValues.plain(event.values().get(1));
        stream =
            stream.addElements(
                TimestampedValue.of(KV.of(event.key().toString(), number), event.timestamp()));
      } else if (step instanceof Step.Advance advance) {
        stream = stream.advanceWatermarkTo(advance.watermark());
      }
    }
    return stream.advanceWatermarkToInfinity();
  }

  private static org.apache.beam.sdk.transforms.windowing.Window<KV<String, BigDecimal>> window(
      Policy policy) {
    AfterWatermark.AfterWatermarkEarlyAndLate trigger =
        AfterWatermark.pastEndOfWindow().withLateFirings(once(policy.trigger().late()));
    if (policy.trigger().early() != null) {
      trigger = trigger.withEarlyFirings(once(policy.trigger().early()));
    }
    var window =
        org.apache.beam.sdk.transforms.windowing.Window.<KV<String, BigDecimal>>into(
                windowFn(policy.windowing()))
            .triggering(trigger)
            .withAllowedLateness(policy.allowedLateness());
    return policy.accumulation() == Accumulation.DISCARDING
        ? window.discardingFiredPanes()
        : window.accumulatingFiredPanes();
  }

  private static OnceTrigger once(Trigger.Cadence cadence) {
    return cadence instanceof Trigger.Every every
        ? AfterProcessingTime.pastFirstElementInPane().plusDelayOf(every.every())
        : AfterPane.elementCountAtLeast(((Trigger.Count) cadence).count());
  }

  private static WindowFn<Object, ?> windowFn(Windowing windowing) {
    if (windowing instanceof Windowing.Fixed fixed) {
      return FixedWindows.of(fixed.size())
          .withOffset(Duration.millis(fixed.offset().getMillis() % fixed.size().getMillis()));
    }
    if (windowing instanceof Windowing.Sliding sliding) {
      return SlidingWindows.of(sliding.size())
          .every(sliding.every())
          .withOffset(Duration.millis(sliding.offset().getMillis() % sliding.every().getMillis()));
    }
    if (windowing instanceof Windowing.Sessions sessions && sessions.maxDuration() == null) {
      return Sessions.withGapDuration(sessions.gap());
    }
    return windowing instanceof Windowing.Global ? new GlobalWindows() : null;
  }

  private static final class KeepPanes extends DoFn<KV<String, Iterable<BigDecimal>>, Void> {
    @ProcessElement
    public void keep(
        @Element KV<String, Iterable<BigDecimal>> pane, PaneInfo info, BoundedWindow window) {
      List<BigDecimal> numbers = new ArrayList<>();
      pane.getValue().forEach(numbers::add);
      Kind kind =
          info.getNonSpeculativeIndex() < 0
              ? Kind.EARLY
              : info.getNonSpeculativeIndex() == 0 ? Kind.FINAL : Kind.LATE_UPDATE;
      PANES.add(
          new Pane(
              pane.getKey(),
              window instanceof IntervalWindow interval
                  ? new Window(interval.start(), interval.end())
                  : Window.GLOBAL,
              kind,
              info.getIndex() + 1,
              numbers.size(),
              numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add).setScale(2)));
    }
  }
}
