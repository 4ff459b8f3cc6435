package dev.tidemark.transforms.lateness;

import java.util.Collection;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.NonMergingWindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowMappingFn;

/** Puts an element back into the window that {@link ExtendWindows} extended. */
final class RestoreWindows<T, W extends BoundedWindow> extends NonMergingWindowFn<T, W> {
  private final Coder<W> originalCoder;

  RestoreWindows(Coder<W> originalCoder) {
    this.originalCoder = originalCoder;
  }

  @Override
  public Collection<W> assignWindows(AssignContext c) {
    @SuppressWarnings("unchecked") // only ever applied behind ExtendWindows
    ExtendedWindow<W> window = (ExtendedWindow<W>) c.window();
    return List.of(window.original());
  }

  @Override
  @SuppressWarnings("deprecation") // WindowFn still asks for it
  public boolean isCompatible(WindowFn<?, ?> other) {
    return other instanceof RestoreWindows<?, ?>;
  }

  @Override
  public Coder<W> windowCoder() {
    return originalCoder;
  }

  @Override
  public WindowMappingFn<W> getDefaultWindowMappingFn() {
    throw new UnsupportedOperationException("restored windows cannot be side input windows");
  }

  @Override
  public boolean assignsToOneWindow() {
    return true;
  }
}
