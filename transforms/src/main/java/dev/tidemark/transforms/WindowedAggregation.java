package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.EventKeyCoder;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import dev.tidemark.transforms.aggregate.AggregateFn;
import dev.tidemark.transforms.lateness.LatenessGate;
import dev.tidemark.transforms.lateness.TooLateElement;
import dev.tidemark.transforms.windowing.PolicyWindow;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Computes the metric of one policy: assigns its windows, parts the events that came too late, and
 * aggregates the others to one result a firing.
 *
 * <p>Input: events stamped with their time, as the parser gives them. Use {@link LatenessGate}
 * alone for an aggregation of your own.
 */
public final class WindowedAggregation
    extends PTransform<PCollection<Event>, WindowedAggregation.Output> {
  private final Policy policy;
  private final @Nullable WallClock clock;
  private final boolean withAccumulators;

  private WindowedAggregation(Policy policy, @Nullable WallClock clock, boolean withAccumulators) {
    this.policy = policy;
    this.clock = clock;
    this.withAccumulators = withAccumulators;
  }

  /** The aggregation of a policy, which judges the lateness of every event. */
  public static WindowedAggregation of(Policy policy) {
    return new WindowedAggregation(policy, null, false);
  }

  /**
   * Judges lateness only where the wall clock leaves it possible; see {@link
   * LatenessGate#withWallClock}.
   */
  public WindowedAggregation withWallClock(WallClock clock) {
    return new WindowedAggregation(policy, clock, withAccumulators);
  }

  /**
   * Results carry their accumulators, so that too-late events can be merged into them later. Use it
   * where results may have to be corrected; it makes each as large as the state of its window.
   */
  public WindowedAggregation withAccumulators() {
    return new WindowedAggregation(policy, clock, true);
  }

  @Override
  public Output expand(PCollection<Event> events) {
    LatenessGate.Output<Event> judged =
        events.apply("Assign windows", PolicyWindow.of(policy)).apply("Judge lateness", gate());
    PCollection<WindowResult> results =
        judged
            .inTime()
            .apply("Take values", ParDo.of(new TakeValues(policy)))
            .setCoder(
                KvCoder.of(EventKeyCoder.of(), AccumulatorsCoder.of(TakeValues.aggregates(policy))))
            .apply("Aggregate", Combine.perKey(AggregateFn.of(TakeValues.aggregates(policy))))
            .apply("State results", ParDo.of(new StateResults(policy, withAccumulators)))
            .setCoder(WindowResultCoder.of());
    PCollection<TooLateEvent> tooLate =
        judged
            .tooLate()
            .apply("Keep too late", ParDo.of(new KeepTooLate(policy.tooLate())))
            .setCoder(TooLateEventCoder.of());
    return new Output(
        LinkFirings.isNeeded(policy)
            ? results.apply("Link firings", LinkFirings.of(policy))
            : results,
        tooLate);
  }

  private LatenessGate<Event> gate() {
    return clock == null ? LatenessGate.of() : LatenessGate.<Event>of().withWallClock(clock);
  }

  /** Each event, in each of its windows, as the accumulators of one event. */
  static final class TakeValues extends DoFn<Event, KV<EventKey, Accumulators>> {
    private final Counter counted = Metrics.counter("tidemark", "counted");
    private final List<Aggregate> aggregates;

    TakeValues(Policy policy) {
      aggregates = aggregates(policy);
    }

    static List<Aggregate> aggregates(Policy policy) {
      return List.copyOf(policy.aggregates().values());
    }

    @ProcessElement
    public void process(
        @Element Event event,
        BoundedWindow window, // observed so that each (event, window) is counted
        OutputReceiver<KV<EventKey, Accumulators>> out) {
      counted.inc();
      out.output(KV.of(event.key(), Accumulators.of(aggregates, event)));
    }
  }

  /** Each pane as a result. */
  static final class StateResults extends DoFn<KV<EventKey, Accumulators>, WindowResult> {
    private final Counter panes = Metrics.counter("tidemark", "panes");
    private final Duration allowedLateness;
    private final @Nullable AccumulatorsCoder accumulatorsCoder;

    StateResults(Policy policy, boolean withAccumulators) {
      allowedLateness = policy.allowedLateness();
      accumulatorsCoder =
          withAccumulators ? AccumulatorsCoder.of(TakeValues.aggregates(policy)) : null;
    }

    @ProcessElement
    public void process(
        @Element KV<EventKey, Accumulators> element,
        BoundedWindow beamWindow,
        PaneInfo pane,
        OutputReceiver<WindowResult> out) {
      panes.inc();
      ResultWindow window = ResultWindow.of(beamWindow);
      ResultKind kind = kind(pane);
      out.output(
          new WindowResult(
              element.getKey(),
              window,
              kind,
              pane.getIndex() + 1,
              isLast(kind, pane),
              watermark(kind, window, pane),
              Instant.now(),
              element.getValue().values(),
              List.of(),
              accumulatorsCoder == null ? null : accumulatorsCoder.toBase64(element.getValue()),
              List.of()));
    }

    /** By the index, since runners differ on the timing of a window whose first event is late. */
    private static ResultKind kind(PaneInfo pane) {
      if (pane.getNonSpeculativeIndex() < 0) {
        return ResultKind.EARLY;
      }
      return pane.getNonSpeculativeIndex() == 0 ? ResultKind.FINAL : ResultKind.LATE_UPDATE;
    }

    /** Beam keeps the window a margin longer, so without lateness only we know at its end. */
    private boolean isLast(ResultKind kind, PaneInfo pane) {
      return pane.isLast() || (kind != ResultKind.EARLY && allowedLateness.equals(Duration.ZERO));
    }

    private @Nullable Instant watermark(
        ResultKind kind, @Nullable ResultWindow window, PaneInfo pane) {
      if (kind == ResultKind.EARLY || window == null) {
        return null;
      }
      return pane.isLast() ? window.end().plus(allowedLateness) : window.end();
    }
  }

  /** Counts the too-late events, and keeps them if the policy says so. */
  static final class KeepTooLate extends DoFn<TooLateElement<Event>, TooLateEvent> {
    private final Counter counter;
    private final boolean kept;

    KeepTooLate(TooLate tooLate) {
      kept = tooLate == TooLate.QUARANTINE;
      counter = Metrics.counter("tidemark", kept ? "tooLate" : "dropped");
    }

    @ProcessElement
    public void process(@Element TooLateElement<Event> tooLate, OutputReceiver<TooLateEvent> out) {
      counter.inc();
      ResultWindow window = ResultWindow.of(tooLate.window());
      if (kept && window != null) {
        out.output(new TooLateEvent(tooLate.element(), window));
      }
    }
  }

  /**
   * The two outputs.
   *
   * @param results one a firing, retractions and their causes in order
   * @param tooLate one for each event and window that it missed; empty if the policy drops them
   */
  public record Output(PCollection<WindowResult> results, PCollection<TooLateEvent> tooLate)
      implements POutput {
    private static final TupleTag<WindowResult> RESULTS = new TupleTag<>("results");
    private static final TupleTag<TooLateEvent> TOO_LATE = new TupleTag<>("tooLate");

    @Override
    public Pipeline getPipeline() {
      return results.getPipeline();
    }

    @Override
    public Map<TupleTag<?>, PValue> expand() {
      return Map.of(RESULTS, results, TOO_LATE, tooLate);
    }

    @Override
    public void finishSpecifyingOutput(
        String transformName, PInput input, PTransform<?, ?> transform) {}
  }
}
