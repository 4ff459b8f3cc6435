package dev.tidemark.transforms.windowing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PartitioningWindowFn;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.joda.time.Instant;

/**
 * The slices of event time under a window function: a slice is the longest stretch whose instants
 * share all their windows. Of windows that do not overlap each is a slice; sliding windows are cut
 * where any of them starts or ends. Events of one key and slice can be aggregated once for all
 * their windows (Traub et al., "Scotty: general and efficient open-source window aggregation for
 * stream processing systems", 2021). Windows that merge have no slices.
 */
public sealed interface Slices extends Serializable {

  /** The slice that an instant lies in. */
  Slice at(Instant instant);

  /** The windows of all instants of a slice, never none, in the order that they start in. */
  List<? extends BoundedWindow> windows(Slice slice);

  /**
   * A slice.
   *
   * @param start its first instant, in epoch milliseconds
   * @param end the first instant after it, in epoch milliseconds
   */
  record Slice(long start, long end) {

    /** Whether the instant is one of this slice. */
    public boolean contains(Instant instant) {
      return instant.getMillis() >= start && instant.getMillis() < end;
    }
  }

  /**
   * The slices of a window function that a policy can name.
   *
   * @throws IllegalArgumentException if it has none, or is none of a policy's
   */
  static Slices of(WindowFn<?, ?> windowFn) {
    if (windowFn instanceof SlidingWindows sliding) {
      return new OfSliding(
          sliding.getSize().getMillis(),
          sliding.getPeriod().getMillis(),
          sliding.getOffset().getMillis());
    }
    if (windowFn instanceof PartitioningWindowFn<?, ?> partitioning) {
      return new OfPartition(partitioning);
    }
    if (windowFn instanceof GlobalWindows) {
      return new OfGlobal();
    }
    throw new IllegalArgumentException(windowFn + " has no slices");
  }

  /** Each window is a slice. */
  record OfPartition(PartitioningWindowFn<?, ?> windowFn) implements Slices {
    @Override
    public Slice at(Instant instant) {
      IntervalWindow window = (IntervalWindow) windowFn.assignWindow(instant);
      return new Slice(window.start().getMillis(), window.end().getMillis());
    }

    @Override
    public List<IntervalWindow> windows(Slice slice) {
      return List.of(
          new IntervalWindow(Instant.ofEpochMilli(slice.start), Instant.ofEpochMilli(slice.end)));
    }
  }

  /** All of event time is one slice. */
  record OfGlobal() implements Slices {
    @Override
    public Slice at(Instant instant) {
      return new Slice(
          BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis(),
          BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis());
    }

    @Override
    public List<GlobalWindow> windows(Slice slice) {
      return List.of(GlobalWindow.INSTANCE);
    }
  }

  /**
   * Windows start every {@code period} from {@code offset} on, and end {@code size} later.
   *
   * <p>All in milliseconds; {@code size} is at least {@code period}.
   */
  record OfSliding(long size, long period, long offset) implements Slices {
    @Override
    public Slice at(Instant instant) {
      long lastStart = lastStart(instant.getMillis());
      long lastEnd = lastStart(instant.getMillis() - size) + size;
      return new Slice(Math.max(lastStart, lastEnd), Math.min(lastStart, lastEnd) + period);
    }

    private long lastStart(long millis) {
      return millis - Math.floorMod(millis - offset, period);
    }

    @Override
    public List<IntervalWindow> windows(Slice slice) {
      List<IntervalWindow> windows = new ArrayList<>();
      long firstStart = lastStart(slice.start - size) + period;
      for (long start = firstStart; start <= slice.start; start += period) {
        windows.add(
            new IntervalWindow(Instant.ofEpochMilli(start), Instant.ofEpochMilli(start + size)));
      }
      return windows;
    }
  }
}
