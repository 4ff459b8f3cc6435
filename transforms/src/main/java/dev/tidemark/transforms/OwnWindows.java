package dev.tidemark.transforms;

import dev.tidemark.event.EventKey;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.windowing.PolicyWindow;
import java.util.Collection;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.NonMergingWindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowMappingFn;
import org.apache.beam.sdk.values.KV;
import org.jspecify.annotations.Nullable;

/** Puts each element into the window that it is keyed by. */
final class OwnWindows<W extends BoundedWindow>
    extends NonMergingWindowFn<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>, W> {
  private final Coder<W> windowCoder;

  private OwnWindows(Coder<W> windowCoder) {
    this.windowCoder = windowCoder;
  }

  /** Of the kind that a policy's windows are. */
  static OwnWindows<?> of(Policy policy) {
    return new OwnWindows<>(PolicyWindow.windowFn(policy.windowing()).windowCoder());
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
