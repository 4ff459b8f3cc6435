package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Trigger;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.windowing.AssignedWindows;
import dev.tidemark.transforms.windowing.PolicyWindow;
import dev.tidemark.transforms.windowing.Slices;
import dev.tidemark.transforms.windowing.Slices.Slice;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates the events of a bundle before they are shuffled: per key and {@linkplain Slices
 * slice}, and those per key and window when they leave. So an event costs one update of a map
 * however many windows it is in, and what is shuffled grows with the keys and not with the events.
 *
 * <p>It aggregates events that cannot be late: all of a bounded input, and of an unbounded one
 * those whose windows end after the wall clock, where the watermark does not pass that. The others
 * are still to be judged: those of a slice, which have the same windows, leave as one batch. It
 * takes none for windows that merge, nor for early triggers that count, as they would count
 * bundles: such events are {@linkplain #emitAlone emitted alone}.
 *
 * <p>For use in a {@link CombiningFn}: {@link #start} it with each bundle, and {@link #emit} when
 * it is full and at the bundle's end.
 */
public final class BundleCombiner implements Serializable {
  /** Bounds the memory: an accumulator of a sketch takes up to a few kilobytes. */
  private static final int MOST_ACCUMULATORS = 20_000;

  /** The same of aggregates that keep a value and no more. */
  private static final int MOST_VALUES = 200_000;

  /** Bounds the memory of keys, and of what accumulators keep of the records. */
  private static final long MOST_BYTES = 64L << 20;

  /** Bounds the memory, and the batches, of events that are kept whole to be judged. */
  private static final long MOST_BYTES_TO_JUDGE = 4L << 20;

  /**
   * Beam puts times before 1970 into windows that do not contain them, and some times of a window's
   * size and offset after it. Events of so long ago are left to it, to be in the same ones.
   */
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  private final Counter assigned = Metrics.counter("tidemark", "assigned");
  private final Counter counted = Metrics.counter("tidemark", "counted");
  private final List<Aggregate> aggregates;
  private final boolean isInValue;
  private final WindowFn<Object, ?> windowFn;
  private final @Nullable Slices slices;
  private final boolean isBounded;
  private final @Nullable WallClock clock;

  private transient Map<Long, InSlice> bundle;
  private transient @Nullable InSlice latest;
  private transient int accumulators;
  private transient long bytes;
  private transient long bytesToJudge;
  private transient long alone;

  private BundleCombiner(
      List<Aggregate> aggregates,
      WindowFn<Object, ?> windowFn,
      @Nullable Slices slices,
      boolean isBounded,
      @Nullable WallClock clock) {
    this.aggregates = aggregates;
    this.isInValue = aggregates.stream().allMatch(Accumulators::isInValue);
    this.windowFn = windowFn;
    this.slices = slices;
    this.isBounded = isBounded;
    this.clock = clock;
  }

  /**
   * Combines under a policy.
   *
   * @param clock one that the watermark of unbounded events cannot pass; null if there is none
   */
  public static BundleCombiner of(Policy policy, IsBounded bounded, @Nullable WallClock clock) {
    WindowFn<Object, ?> windowFn = PolicyWindow.windowFn(policy.windowing());
    boolean takesAny =
        windowFn.isNonMerging() && !(policy.trigger().early() instanceof Trigger.Count);
    return new BundleCombiner(
        policy.aggregateList(),
        windowFn,
        takesAny ? Slices.of(windowFn) : null,
        bounded == IsBounded.BOUNDED,
        clock);
  }

  /** What becomes of a bundle. */
  public interface Receiver {

    /**
     * Of events that cannot be late.
     *
     * @param values of a key and window, null for the global one
     * @param earliest the earliest time of an event in the window
     */
    void combined(KV<KV<EventKey, @Nullable ResultWindow>, Accumulators> values, Instant earliest);

    /**
     * Of events that may be late.
     *
     * @param events with the same windows
     * @param earliest the earliest of their times
     */
    void toJudge(List<Event> events, Instant earliest);
  }

  /** The events of a bundle that are in one slice. */
  private static final class InSlice {
    private final Slice slice;
    private final List<? extends BoundedWindow> windows;
    private final Instant firstWindowEnd;
    private final Map<EventKey, OfKey> byKey = new HashMap<>();
    private final List<Event> toJudge = new ArrayList<>();
    private Instant earliest = BoundedWindow.TIMESTAMP_MAX_VALUE;
    private Instant earliestToJudge = BoundedWindow.TIMESTAMP_MAX_VALUE;
    private long events;

    InSlice(Slice slice, List<? extends BoundedWindow> windows) {
      this.slice = slice;
      this.windows = windows;
      this.firstWindowEnd = windows.get(0).maxTimestamp();
    }

    private void judge(Event event) {
      toJudge.add(event);
      earliestToJudge = earlier(earliestToJudge, event.timestamp());
    }

    private void add(Event event, OfKey ofKey) {
      ofKey.values.add(event);
      events++;
      earliest = earlier(earliest, event.timestamp());
    }
  }

  /** Those of a key among them. */
  private static final class OfKey {
    private final Accumulators values;
    private int largestRecord;

    OfKey(Accumulators values) {
      this.values = values;
    }
  }

  /** Begins with nothing. */
  public void start() {
    bundle = new HashMap<>();
    latest = null;
    accumulators = 0;
    bytes = 0;
    bytesToJudge = 0;
    alone = 0;
  }

  /**
   * Takes an event.
   *
   * @return whether it took the event; one that it did not take is to be {@linkplain #emitAlone
   *     emitted alone}
   */
  public boolean add(Event event) {
    if (slices == null || event.timestamp().isBefore(EARLIEST)) {
      return false;
    }
    InSlice slice = inSlice(slices, event.timestamp());
    if (cannotBeLate(slice)) {
      addTo(slice, event);
    } else {
      slice.judge(event);
      bytesToJudge += event.raw().bytes().length;
    }
    return true;
  }

  /** Gives away an event that it did not take. */
  public void emitAlone(Event event, Receiver out) {
    if (!isBounded) {
      out.toJudge(List.of(event), event.timestamp());
      return;
    }
    for (BoundedWindow window : AssignedWindows.of(windowFn, event.timestamp())) {
      alone++;
      Accumulators values = Accumulators.of(aggregates, event);
      out.combined(KV.of(KV.of(event.key(), ResultWindow.of(window)), values), event.timestamp());
    }
  }

  private boolean cannotBeLate(InSlice slice) {
    return isBounded || (clock != null && slice.firstWindowEnd.isAfter(clock.now()));
  }

  /** Whether it has taken as much as memory should hold, and is to {@link #emit}. */
  public boolean isFull() {
    return accumulators >= (isInValue ? MOST_VALUES : MOST_ACCUMULATORS)
        || bytes >= MOST_BYTES
        || bytesToJudge >= MOST_BYTES_TO_JUDGE;
  }

  private InSlice inSlice(Slices slices, Instant time) {
    InSlice slice = latest;
    if (slice == null || !slice.slice.contains(time)) {
      Slice found = slices.at(time);
      slice =
          bundle.computeIfAbsent(
              found.start(), unused -> new InSlice(found, slices.windows(found)));
      latest = slice;
    }
    return slice;
  }

  private void addTo(InSlice slice, Event event) {
    OfKey ofKey = slice.byKey.get(event.key());
    if (ofKey == null) {
      ofKey = new OfKey(Accumulators.empty(aggregates));
      slice.byKey.put(event.key(), ofKey);
      accumulators += aggregates.size();
    }
    slice.add(event, ofKey);
    bytes += moreKept(ofKey, event.raw().bytes().length);
  }

  /** A value takes the place of another, but its record may be larger. */
  private long moreKept(OfKey ofKey, int recordBytes) {
    if (!isInValue) {
      return recordBytes;
    }
    int more = Math.max(0, recordBytes - ofKey.largestRecord);
    ofKey.largestRecord += more;
    return more;
  }

  private static Instant earlier(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  /** Gives away all that was taken, and begins with nothing. */
  public void emit(Receiver out) {
    List<InSlice> combined = new ArrayList<>();
    for (InSlice slice : bundle.values()) {
      if (!slice.toJudge.isEmpty()) {
        out.toJudge(slice.toJudge, slice.earliestToJudge);
      }
      if (slice.events > 0) {
        combined.add(slice);
      }
    }
    emitCombined(combined, out);
    count(combined);
    start();
  }

  private void count(List<InSlice> combined) {
    long inWindows = alone;
    for (InSlice slice : combined) {
      inWindows += slice.events * slice.windows.size();
    }
    assigned.inc(inWindows);
    counted.inc(inWindows);
  }

  private void emitCombined(List<InSlice> combined, Receiver out) {
    combined.sort(Comparator.comparingLong(slice -> slice.slice.start()));
    Map<BoundedWindow, Instant> earliest = earliest(combined);
    byKey(combined)
        .forEach(
            (key, slices) ->
                slices.forEachWindow(
                    (window, values) ->
                        out.combined(
                            KV.of(KV.of(key, ResultWindow.of(window)), values),
                            earliest.get(window))));
  }

  private static Map<BoundedWindow, Instant> earliest(List<InSlice> combined) {
    Map<BoundedWindow, Instant> earliest = new HashMap<>();
    for (InSlice slice : combined) {
      slice.windows.forEach(
          window -> earliest.merge(window, slice.earliest, BundleCombiner::earlier));
    }
    return earliest;
  }

  private Map<EventKey, KeySlices> byKey(List<InSlice> combined) {
    Map<EventKey, KeySlices> byKey = new HashMap<>();
    for (InSlice slice : combined) {
      slice.byKey.forEach(
          (key, ofKey) ->
              byKey
                  .computeIfAbsent(key, unused -> new KeySlices(aggregates))
                  .add(slice.windows, ofKey.values));
    }
    return byKey;
  }
}
