package dev.tidemark.transforms.windowing;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowMappingFn;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that end after a gap without events, and never become longer than {@code maxDuration}:
 * an event that would make its session longer starts the next one. The length counts the gap at the
 * end, as that of Beam's {@code Sessions} does.
 *
 * <p>Use it where a bot or a stuck client would otherwise keep one session, and its state, open for
 * ever. Use Beam's {@code Sessions} where no bound is wanted. Events in order are parted the same
 * way whatever the runner; where events come out of order into a session that is nearly full, the
 * parting depends on the order, since sessions that have merged cannot be taken apart again.
 */
public final class BoundedSessions extends WindowFn<Object, IntervalWindow> {
  private final Duration gap;
  private final Duration maxDuration;

  private BoundedSessions(Duration gap, Duration maxDuration) {
    if (!maxDuration.isLongerThan(gap)) {
      throw new IllegalArgumentException("maxDuration must be longer than the gap");
    }
    this.gap = gap;
    this.maxDuration = maxDuration;
  }

  public static BoundedSessions of(Duration gap, Duration maxDuration) {
    return new BoundedSessions(gap, maxDuration);
  }

  @Override
  public Collection<IntervalWindow> assignWindows(AssignContext c) {
    return List.of(new IntervalWindow(c.timestamp(), gap));
  }

  @Override
  public void mergeWindows(MergeContext c) throws Exception {
    for (SessionMerge merge : SessionMerge.of(c.windows(), maxDuration)) {
      if (merge.parts().size() > 1) {
        c.merge(merge.parts(), merge.session());
      }
    }
  }

  @Override
  @SuppressWarnings("deprecation") // WindowFn still asks for it
  public boolean isCompatible(WindowFn<?, ?> other) {
    return equals(other);
  }

  @Override
  public Coder<IntervalWindow> windowCoder() {
    return IntervalWindow.getCoder();
  }

  @Override
  public WindowMappingFn<IntervalWindow> getDefaultWindowMappingFn() {
    throw new UnsupportedOperationException("sessions cannot be looked up as a side input");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BoundedSessions that
        && gap.equals(that.gap)
        && maxDuration.equals(that.maxDuration);
  }

  @Override
  public int hashCode() {
    return Objects.hash(gap, maxDuration);
  }
}
