package dev.tidemark.transforms;

import java.io.Serializable;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The window [start, end) of a result.
 *
 * @param start its first instant
 * @param end the first instant after it; later than the start
 */
public record ResultWindow(Instant start, Instant end)
    implements Serializable, Comparable<ResultWindow> {

  public ResultWindow {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException("the window's end is not after its start");
    }
  }

  /** The same window as Beam has it; null for the global window. */
  public static @Nullable ResultWindow of(BoundedWindow window) {
    return window instanceof IntervalWindow interval
        ? new ResultWindow(interval.start(), interval.end())
        : null;
  }

  /** Whether the two windows have an instant in common. */
  public boolean intersects(ResultWindow other) {
    return start.isBefore(other.end) && other.start.isBefore(end);
  }

  /** Whether every instant of the other window is one of this window. */
  public boolean covers(ResultWindow other) {
    return !other.start.isBefore(start) && !other.end.isAfter(end);
  }

  @Override
  public int compareTo(ResultWindow other) {
    int byEnd = end.compareTo(other.end);
    return byEnd != 0 ? byEnd : start.compareTo(other.start);
  }
}
