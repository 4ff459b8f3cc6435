package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.EventKeyCoder;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import dev.tidemark.transforms.aggregate.AggregateFn;
import dev.tidemark.transforms.lateness.LatenessGate;
import dev.tidemark.transforms.lateness.TooLateElement;
import dev.tidemark.transforms.windowing.PolicyWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowingStrategy;
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
   * Judges lateness only where the wall clock leaves it possible, and aggregates the others bundle
   * by bundle; see {@link LatenessGate#withWallClock}.
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
    return expand(events.apply("Combine bundles", CombineBundles.of(policy, clock)));
  }

  /** The same of events that come from a step with a {@link BundleCombiner}. */
  public PTransform<EventBundles, Output> ofBundles() {
    return new PTransform<>() {
      @Override
      public Output expand(EventBundles events) {
        return WindowedAggregation.this.expand(events);
      }
    };
  }

  private Output expand(EventBundles events) {
    return events.toJudge() == null
        ? ofBounded(events.combined())
        : ofUnbounded(events.combined(), judged(events.toJudge()));
  }

  private Output ofBounded(
      PCollection<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>> combined) {
    WindowingStrategy<?, ?> strategy =
        PolicyWindow.of(policy).getOutputStrategyInternal(combined.getWindowingStrategy());
    PCollection<TooLateEvent> none =
        combined.getPipeline().apply("None too late", Create.empty(TooLateEventCoder.of()));
    return new Output(results(inOwnWindows(combined, strategy)), none);
  }

  private Output ofUnbounded(
      PCollection<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>> combined,
      LatenessGate.Output<List<Event>> judged) {
    PCollection<KV<EventKey, Accumulators>> single = values(judged);
    PCollection<KV<EventKey, Accumulators>> all =
        PCollectionList.of(inOwnWindows(combined, single.getWindowingStrategy()))
            .and(single)
            .apply("All values", Flatten.pCollections());
    return new Output(results(all), tooLate(judged));
  }

  private PCollection<KV<EventKey, Accumulators>> inOwnWindows(
      PCollection<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>> combined,
      WindowingStrategy<?, ?> strategy) {
    return combined
        .apply("Assign their windows", Window.into(OwnWindows.of(policy)))
        .apply("Take keys", ParDo.of(new TakeKeys()))
        .setCoder(valuesCoder())
        .setWindowingStrategyInternal(strategy);
  }

  private KvCoder<EventKey, Accumulators> valuesCoder() {
    return KvCoder.of(EventKeyCoder.of(), AccumulatorsCoder.of(policy.aggregateList()));
  }

  private LatenessGate.Output<List<Event>> judged(PCollection<List<Event>> batches) {
    return batches
        .apply("Assign windows", PolicyWindow.of(policy))
        .apply("Count assigned", ParDo.of(new CountAssigned()))
        .apply("Judge lateness", gate());
  }

  private LatenessGate<List<Event>> gate() {
    return clock == null ? LatenessGate.of() : LatenessGate.<List<Event>>of().withWallClock(clock);
  }

  private PCollection<KV<EventKey, Accumulators>> values(LatenessGate.Output<List<Event>> judged) {
    return judged
        .inTime()
        .apply("Take values", ParDo.of(TakeValues.of(policy)))
        .setCoder(valuesCoder());
  }

  private PCollection<WindowResult> results(PCollection<KV<EventKey, Accumulators>> values) {
    PCollection<KV<EventKey, Accumulators>> panes =
        values.apply("Aggregate", Combine.perKey(AggregateFn.of(policy.aggregateList())));
    return LinkFirings.isNeeded(policy) ? linked(panes) : stated(panes);
  }

  private PCollection<TooLateEvent> tooLate(LatenessGate.Output<List<Event>> judged) {
    return judged
        .tooLate()
        .apply("Keep too late", ParDo.of(new KeepTooLate(policy.tooLate())))
        .setCoder(TooLateEventCoder.of());
  }

  private PCollection<WindowResult> stated(PCollection<KV<EventKey, Accumulators>> panes) {
    return panes
        .apply("State results", ParDo.of(new StateResults(statement())))
        .setCoder(WindowResultCoder.of());
  }

  private PCollection<WindowResult> linked(PCollection<KV<EventKey, Accumulators>> panes) {
    return panes
        .apply("State firings", ParDo.of(new StateFirings(statement())))
        .setCoder(Firing.FiringCoder.of())
        .apply("Link firings", LinkFirings.of(policy));
  }

  private PaneStatement statement() {
    return new PaneStatement(policy, withAccumulators);
  }

  /** Counts each event once for each of its windows. */
  static final class CountAssigned extends DoFn<List<Event>, List<Event>> {
    private final Counter assigned = Metrics.counter("tidemark", "assigned");

    @ProcessElement
    public void process(
        @Element List<Event> batch,
        BoundedWindow window, // observed so that each (event, window) is counted
        OutputReceiver<List<Event>> out) {
      assigned.inc(batch.size());
      out.output(batch);
    }
  }

  /**
   * The events of a batch, in each of its windows, as accumulators: of each key, or of each event
   * where late ones are to be counted before they fire.
   */
  static final class TakeValues extends DoFn<List<Event>, KV<EventKey, Accumulators>> {
    private final Counter counted = Metrics.counter("tidemark", "counted");
    private final List<Aggregate> aggregates;
    private final boolean oneByOne;

    private TakeValues(List<Aggregate> aggregates, boolean oneByOne) {
      this.aggregates = aggregates;
      this.oneByOne = oneByOne;
    }

    static TakeValues of(Policy policy) {
      return new TakeValues(
          policy.aggregateList(),
          policy.trigger().late() instanceof Trigger.Count late && late.count() > 1);
    }

    @ProcessElement
    public void process(
        @Element List<Event> batch,
        BoundedWindow window, // observed so that each (event, window) is counted
        OutputReceiver<KV<EventKey, Accumulators>> out) {
      counted.inc(batch.size());
      if (oneByOne) {
        batch.forEach(event -> out.output(KV.of(event.key(), Accumulators.of(aggregates, event))));
      } else {
        byKey(batch).forEach((key, values) -> out.output(KV.of(key, values)));
      }
    }

    private Map<EventKey, Accumulators> byKey(List<Event> batch) {
      Map<EventKey, Accumulators> byKey = new HashMap<>();
      for (Event event : batch) {
        byKey.computeIfAbsent(event.key(), unused -> Accumulators.empty(aggregates)).add(event);
      }
      return byKey;
    }
  }

  static final class TakeKeys
      extends DoFn<
          KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>, KV<EventKey, Accumulators>> {
    @ProcessElement
    public void process(
        @Element KV<KV<EventKey, @Nullable ResultWindow>, Accumulators> element,
        OutputReceiver<KV<EventKey, Accumulators>> out) {
      out.output(KV.of(element.getKey().getKey(), element.getValue()));
    }
  }

  /** Each pane as a result. */
  static final class StateResults extends DoFn<KV<EventKey, Accumulators>, WindowResult> {
    private final PaneCounters panes = new PaneCounters();
    private final PaneStatement statement;

    StateResults(PaneStatement statement) {
      this.statement = statement;
    }

    @ProcessElement
    public void process(
        @Element KV<EventKey, Accumulators> element,
        BoundedWindow window,
        PaneInfo pane,
        OutputReceiver<WindowResult> out) {
      if (PaneStatement.isVoid(element.getValue(), pane)) {
        return;
      }
      WindowResult result = statement.of(element, window, pane);
      panes.count(result);
      out.output(result);
    }
  }

  /** Each pane as a firing that is yet to be linked. */
  static final class StateFirings extends DoFn<KV<EventKey, Accumulators>, Firing> {
    private final PaneStatement statement;

    StateFirings(PaneStatement statement) {
      this.statement = statement;
    }

    @ProcessElement
    public void process(
        @Element KV<EventKey, Accumulators> element,
        BoundedWindow window,
        PaneInfo pane,
        OutputReceiver<Firing> out) {
      if (PaneStatement.isVoid(element.getValue(), pane)) {
        return;
      }
      WindowResult result = statement.of(element, window, pane);
      out.output(new Firing(result, element.getValue().events(), pane.isLast()));
    }
  }

  /** Counts the too-late events, and keeps them if the policy says so. */
  static final class KeepTooLate extends DoFn<TooLateElement<List<Event>>, TooLateEvent> {
    private final Counter counter;
    private final boolean kept;

    KeepTooLate(TooLate tooLate) {
      kept = tooLate == TooLate.QUARANTINE;
      counter = Metrics.counter("tidemark", kept ? "tooLate" : "dropped");
    }

    @ProcessElement
    public void process(
        @Element TooLateElement<List<Event>> tooLate, OutputReceiver<TooLateEvent> out) {
      counter.inc(tooLate.element().size());
      ResultWindow window = ResultWindow.of(tooLate.window());
      if (kept && window != null) {
        tooLate.element().forEach(event -> out.output(new TooLateEvent(event, window)));
      }
    }
  }

  /**
   * The two outputs.
   *
   * @param results one a firing, retractions and their causes in order
   * @param tooLate one for each event and window that it missed; empty if the policy drops them or
   *     the input is bounded, of which none is late
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
