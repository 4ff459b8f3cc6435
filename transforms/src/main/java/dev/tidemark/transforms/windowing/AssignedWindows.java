package dev.tidemark.transforms.windowing;

import java.util.Collection;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.joda.time.Instant;

/**
 * The windows that a window function of a policy assigns to an instant, outside of a {@code
 * Window.into}. Sessions are those of the instant alone, which are yet to be merged.
 */
public final class AssignedWindows {
  private AssignedWindows() {}

  /** In the order that the window function gives. */
  public static <W extends BoundedWindow> Collection<W> of(
      WindowFn<Object, W> windowFn, Instant instant) {
    try {
      return windowFn.assignWindows(context(windowFn, instant));
    } catch (Exception e) {
      throw new IllegalStateException("no window can be assigned to " + instant, e);
    }
  }

  private static <W extends BoundedWindow> WindowFn<Object, W>.AssignContext context(
      WindowFn<Object, W> windowFn, Instant instant) {
    return windowFn.new AssignContext() {
      @Override
      public Object element() {
        throw new UnsupportedOperationException("a policy's windows depend on the time alone");
      }

      @Override
      public Instant timestamp() {
        return instant;
      }

      @Override
      public BoundedWindow window() {
        return GlobalWindow.INSTANCE;
      }
    };
  }
}
