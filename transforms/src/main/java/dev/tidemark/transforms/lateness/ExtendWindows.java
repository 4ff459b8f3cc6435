package dev.tidemark.transforms.lateness;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.NonMergingWindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowMappingFn;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Extends the window that an element is in by the allowed lateness. Never merges. */
final class ExtendWindows<T, W extends BoundedWindow>
    extends NonMergingWindowFn<T, ExtendedWindow<W>> {
  private final Coder<W> originalCoder;
  private final Duration allowedLateness;

  ExtendWindows(Coder<W> originalCoder, Duration allowedLateness) {
    this.originalCoder = originalCoder;
    this.allowedLateness = allowedLateness;
  }

  @Override
  public Collection<ExtendedWindow<W>> assignWindows(AssignContext c) {
    @SuppressWarnings("unchecked") // the gate hands over the windows whose coder it was given
    W original = (W) c.window();
    return List.of(new ExtendedWindow<>(original, deadline(original, allowedLateness)));
  }

  /** The last instant that the watermark may stand at while the window still takes elements. */
  static Instant deadline(BoundedWindow window, Duration allowedLateness) {
    Instant endOfTime = GlobalWindow.INSTANCE.maxTimestamp();
    return window.maxTimestamp().isAfter(endOfTime.minus(allowedLateness))
        ? endOfTime
        : window.maxTimestamp().plus(allowedLateness);
  }

  @Override
  @SuppressWarnings("deprecation") // WindowFn still asks for it
  public boolean isCompatible(WindowFn<?, ?> other) {
    return equals(other);
  }

  @Override
  public Coder<ExtendedWindow<W>> windowCoder() {
    return new ExtendedWindow.WindowCoder<>(originalCoder);
  }

  @Override
  public WindowMappingFn<ExtendedWindow<W>> getDefaultWindowMappingFn() {
    throw new UnsupportedOperationException("extended windows cannot be side input windows");
  }

  @Override
  public boolean assignsToOneWindow() {
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ExtendWindows<?, ?> that
        && originalCoder.equals(that.originalCoder)
        && allowedLateness.equals(that.allowedLateness);
  }

  @Override
  public int hashCode() {
    return Objects.hash(originalCoder, allowedLateness);
  }
}
