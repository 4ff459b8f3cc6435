package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.EventKeyCoder;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Trigger;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import dev.tidemark.transforms.windowing.PolicyWindow;
import dev.tidemark.transforms.windowing.Slices;
import dev.tidemark.transforms.windowing.Slices.Slice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.NonMergingWindowFn;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowMappingFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates the events of a bundle before they are shuffled: per key and {@linkplain Slices
 * slice}, and those per key and window when the bundle ends. So an event costs one update of a map
 * however many windows it is in, and what is shuffled grows with the keys and not with the events.
 *
 * <p>It takes events that cannot be late: all of a bounded input, and of an unbounded one those
 * whose windows end after the wall clock, which the watermark does not pass. The others it leaves
 * as they are, to be judged and to fire one by one. Not for windows that merge, nor for triggers
 * that count, as they would count bundles.
 */
final class CombineBundles extends PTransform<PCollection<Event>, CombineBundles.Output> {
  private final Policy policy;
  private final @Nullable WallClock clock;

  private CombineBundles(Policy policy, @Nullable WallClock clock) {
    this.policy = policy;
    this.clock = clock;
  }

  /**
   * Takes what cannot be late.
   *
   * @param clock one that the watermark of unbounded events cannot pass; null if there is none
   */
  static CombineBundles of(Policy policy, @Nullable WallClock clock) {
    return new CombineBundles(policy, clock);
  }

  /** Whether what comes of the events is the same with it as without. */
  boolean isExactFor(PCollection<Event> events) {
    return Slices.exist(strategy(events).getWindowFn())
        && !(policy.trigger().early() instanceof Trigger.Count)
        && (isBounded(events) || clock != null);
  }

  private static boolean isBounded(PCollection<Event> events) {
    return events.isBounded() == IsBounded.BOUNDED;
  }

  private WindowingStrategy<?, ?> strategy(PCollection<Event> events) {
    return PolicyWindow.of(policy).getOutputStrategyInternal(events.getWindowingStrategy());
  }

  @Override
  public Output expand(PCollection<Event> events) {
    List<Aggregate> aggregates = List.copyOf(policy.aggregates().values());
    AccumulatorsCoder accumulatorsCoder = AccumulatorsCoder.of(aggregates);
    WindowingStrategy<?, ?> strategy = strategy(events);
    Slices slices = Slices.of(strategy.getWindowFn());
    PCollectionTuple parted =
        events.apply(
            "Combine each bundle",
            ParDo.of(new CombineFn(aggregates, slices, isBounded(events) ? null : clock))
                .withOutputTags(Output.IN_WINDOWS, TupleTagList.of(Output.SINGLE)));
    PCollection<KV<EventKey, Accumulators>> combined =
        parted
            .get(Output.IN_WINDOWS)
            .setCoder(KvCoder.of(ResultScope.CODER, accumulatorsCoder))
            .setWindowingStrategyInternal(WindowingStrategy.globalDefault())
            .apply("Assign their windows", Window.into(OwnWindows.like(strategy.getWindowFn())))
            .apply("Take keys", ParDo.of(new TakeKeys()))
            .setCoder(KvCoder.of(EventKeyCoder.of(), accumulatorsCoder))
            .setWindowingStrategyInternal(strategy);
    return new Output(combined, parted.get(Output.SINGLE).setCoder(EventCoder.of()));
  }

  /**
   * The two outputs.
   *
   * @param combined aggregated, in the policy's windows
   * @param single those that may be late, as they came
   */
  record Output(PCollection<KV<EventKey, Accumulators>> combined, PCollection<Event> single)
      implements POutput {
    private static final TupleTag<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>>
        IN_WINDOWS = new TupleTag<>("inWindows") {};
    private static final TupleTag<KV<EventKey, Accumulators>> COMBINED = new TupleTag<>("combined");
    private static final TupleTag<Event> SINGLE = new TupleTag<>("single") {};

    @Override
    public Pipeline getPipeline() {
      return combined.getPipeline();
    }

    @Override
    public Map<TupleTag<?>, PValue> expand() {
      return Map.of(COMBINED, combined, SINGLE, single);
    }

    @Override
    public void finishSpecifyingOutput(
        String transformName, PInput input, PTransform<?, ?> transform) {}
  }

  static final class CombineFn
      extends DoFn<Event, KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>> {
    /** Bounds the memory: an accumulator of a sketch takes up to a few kilobytes. */
    static final int MOST_ACCUMULATORS = 20_000;

    /** Bounds the memory of accumulators that keep each value. */
    static final int MOST_EVENTS = 1_000_000;

    private final Counter assigned = Metrics.counter("tidemark", "assigned");
    private final Counter counted = Metrics.counter("tidemark", "counted");
    private final List<Aggregate> aggregates;
    private final Slices slices;
    private final @Nullable WallClock clock;

    private transient Map<Long, InSlice> bundle;
    private transient @Nullable InSlice latest;
    private transient int accumulators;
    private transient int events;

    CombineFn(List<Aggregate> aggregates, Slices slices, @Nullable WallClock clock) {
      this.aggregates = aggregates;
      this.slices = slices;
      this.clock = clock;
    }

    /** The events of a bundle that are in one slice. */
    private static final class InSlice {
      private final Slice slice;
      private final Instant firstWindowEnd;
      private final Map<EventKey, Accumulators> byKey = new HashMap<>();
      private Instant earliest = BoundedWindow.TIMESTAMP_MAX_VALUE;
      private long events;

      InSlice(Slice slice) {
        this.slice = slice;
        this.firstWindowEnd = slice.firstWindowEnd();
      }
    }

    @StartBundle
    public void start() {
      clear();
    }

    private void clear() {
      bundle = new HashMap<>();
      latest = null;
      accumulators = 0;
      events = 0;
    }

    @ProcessElement
    public void process(@Element Event event, MultiOutputReceiver out) {
      InSlice slice = inSlice(event.timestamp());
      if (clock != null && !slice.firstWindowEnd.isAfter(clock.now())) {
        out.get(Output.SINGLE).output(event);
        return;
      }
      add(event, slice);
      if (accumulators >= MOST_ACCUMULATORS || events >= MOST_EVENTS) {
        emit(out.get(Output.IN_WINDOWS)::outputWithTimestamp);
      }
    }

    private InSlice inSlice(Instant time) {
      InSlice slice = latest;
      if (slice == null || !slice.slice.contains(time)) {
        Slice found = slices.at(time);
        slice = bundle.computeIfAbsent(found.start(), unused -> new InSlice(found));
        latest = slice;
      }
      return slice;
    }

    private void add(Event event, InSlice slice) {
      Accumulators values = slice.byKey.get(event.key());
      if (values == null) {
        values = Accumulators.empty(aggregates);
        slice.byKey.put(event.key(), values);
        accumulators++;
      }
      values.add(event);
      slice.events++;
      events++;
      if (event.timestamp().isBefore(slice.earliest)) {
        slice.earliest = event.timestamp();
      }
    }

    @FinishBundle
    public void finish(FinishBundleContext context) {
      emit((values, time) -> context.output(values, time, GlobalWindow.INSTANCE));
    }

    private void emit(
        BiConsumer<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>, Instant> out) {
      Map<BoundedWindow, List<InSlice>> byWindow = new LinkedHashMap<>();
      for (InSlice slice : bundle.values()) {
        assigned.inc(slice.events * slice.slice.windows().size());
        for (BoundedWindow window : slice.slice.windows()) {
          byWindow.computeIfAbsent(window, unused -> new ArrayList<>()).add(slice);
        }
      }
      byWindow.forEach((window, inWindow) -> emit(ResultWindow.of(window), inWindow, out));
      clear();
    }

    private void emit(
        @Nullable ResultWindow window,
        List<InSlice> inWindow,
        BiConsumer<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>, Instant> out) {
      Instant earliest = BoundedWindow.TIMESTAMP_MAX_VALUE;
      for (InSlice slice : inWindow) {
        counted.inc(slice.events);
        earliest = slice.earliest.isBefore(earliest) ? slice.earliest : earliest;
      }
      for (Map.Entry<EventKey, Accumulators> values : merged(inWindow).entrySet()) {
        out.accept(KV.of(KV.of(values.getKey(), window), values.getValue()), earliest);
      }
    }

    /** A slice stays as it is, since it may be in other windows too. */
    private Map<EventKey, Accumulators> merged(List<InSlice> inWindow) {
      if (inWindow.size() == 1) {
        return inWindow.get(0).byKey;
      }
      Map<EventKey, Accumulators> merged = new HashMap<>();
      for (InSlice slice : inWindow) {
        slice.byKey.forEach(
            (key, values) ->
                merged
                    .computeIfAbsent(key, unused -> Accumulators.empty(aggregates))
                    .merge(values));
      }
      return merged;
    }

    /** What is emitted with an element may be older than that. */
    @Override
    @SuppressWarnings("deprecation") // Beam offers nothing else to move a timestamp back with
    public Duration getAllowedTimestampSkew() {
      return Duration.millis(Long.MAX_VALUE);
    }
  }

  /** Puts each element into the window that it is keyed by. */
  static final class OwnWindows<W extends BoundedWindow>
      extends NonMergingWindowFn<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>, W> {
    private final Coder<W> windowCoder;

    private OwnWindows(Coder<W> windowCoder) {
      this.windowCoder = windowCoder;
    }

    /** Windows of the same kind as those of the function. */
    static <W extends BoundedWindow> OwnWindows<W> like(WindowFn<?, W> windowFn) {
      return new OwnWindows<>(windowFn.windowCoder());
    }

    @Override
    @SuppressWarnings("unchecked") // of the kind that the key was taken from
    public Collection<W> assignWindows(AssignContext c) {
      ResultWindow window = c.element().getKey().getValue();
      BoundedWindow own =
          window == null ? GlobalWindow.INSTANCE : new IntervalWindow(window.start(), window.end());
      return List.of((W) own);
    }

    @Override
    @SuppressWarnings("deprecation") // WindowFn still asks for it
    public boolean isCompatible(WindowFn<?, ?> other) {
      return equals(other);
    }

    @Override
    public Coder<W> windowCoder() {
      return windowCoder;
    }

    @Override
    public WindowMappingFn<W> getDefaultWindowMappingFn() {
      throw new UnsupportedOperationException("own windows cannot be side input windows");
    }

    @Override
    public boolean assignsToOneWindow() {
      return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof OwnWindows<?> that && windowCoder.equals(that.windowCoder);
    }

    @Override
    public int hashCode() {
      return windowCoder.hashCode();
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
}
