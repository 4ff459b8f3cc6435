package dev.tidemark.transforms;

import dev.tidemark.transforms.lateness.LatenessGate;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When nothing more comes of a window, for state that outlives the window to know how long.
 *
 * <p>A late pane comes stamped with its window's end. Behind the watermark it would not hold it,
 * and could come after a timer has cleared the state. So stamp results with the closing of their
 * window, and clear state by {@link #ofLast}.
 */
public final class WindowClosing {
  private WindowClosing() {}

  /** When the runner lets go of the window; the end of time for the global window. */
  public static Instant of(@Nullable ResultWindow window, Duration allowedLateness) {
    Instant endOfTime = GlobalWindow.INSTANCE.maxTimestamp();
    Duration kept = allowedLateness.plus(LatenessGate.MARGIN);
    return window == null || window.end().isAfter(endOfTime.minus(kept))
        ? endOfTime
        : window.end().plus(kept);
  }

  /** When its last result, stamped as above, has come for certain. */
  public static Instant ofLast(@Nullable ResultWindow window, Duration allowedLateness) {
    return of(window, allowedLateness.plus(LatenessGate.MARGIN));
  }
}
