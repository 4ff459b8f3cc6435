package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.transforms.aggregate.Accumulators;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A step that has events, from elements of whatever type, and combines those of a bundle. Its
 * outputs are those of {@link EventBundles}; its input is in the global window, see {@link
 * EventBundles#inGlobalWindow}. What processes an element calls {@link #combine}.
 *
 * @param <T> the elements
 */
public abstract class CombiningFn<T>
    extends DoFn<T, KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>> {
  private final BundleCombiner combiner;

  protected CombiningFn(BundleCombiner combiner) {
    this.combiner = combiner;
  }

  @StartBundle
  public void start() {
    combiner.start();
  }

  /** Takes an event in, or gives it on as it is where it may be late. */
  protected final void combine(Event event, MultiOutputReceiver out) {
    if (!combiner.add(event)) {
      out.get(EventBundles.SINGLE).outputWithTimestamp(event, event.timestamp());
    } else if (combiner.isFull()) {
      combiner.emit(out.get(EventBundles.COMBINED)::outputWithTimestamp);
    }
  }

  @FinishBundle
  public void finish(FinishBundleContext context) {
    combiner.emit((values, time) -> context.output(values, time, GlobalWindow.INSTANCE));
  }

  /**
   * Without end: an event may be older than its element, and what is emitted with an element older
   * than that. What that makes late is for the windows to judge.
   */
  @Override
  @SuppressWarnings("deprecation") // Beam offers nothing else to move a timestamp back with
  public Duration getAllowedTimestampSkew() {
    return Duration.millis(Long.MAX_VALUE);
  }
}
