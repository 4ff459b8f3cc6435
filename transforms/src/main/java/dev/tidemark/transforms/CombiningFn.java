package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.transforms.aggregate.Accumulators;
import java.util.List;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.joda.time.Duration;
import org.joda.time.Instant;
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

  /** Takes an event in, or gives it on alone where it is not to be combined. */
  protected final void combine(Event event, MultiOutputReceiver out) {
    if (!combiner.add(event)) {
      combiner.emitAlone(event, new WithinBundle(out));
    } else if (combiner.isFull()) {
      combiner.emit(new WithinBundle(out));
    }
  }

  @FinishBundle
  public void finish(FinishBundleContext context) {
    combiner.emit(new AtBundlesEnd(context));
  }

  private record WithinBundle(MultiOutputReceiver out) implements BundleCombiner.Receiver {
    @Override
    public void combined(
        KV<KV<EventKey, @Nullable ResultWindow>, Accumulators> values, Instant earliest) {
      out.get(EventBundles.COMBINED).outputWithTimestamp(values, earliest);
    }

    @Override
    public void toJudge(List<Event> events, Instant earliest) {
      out.get(EventBundles.TO_JUDGE).outputWithTimestamp(events, earliest);
    }
  }

  private record AtBundlesEnd(
      DoFn<?, KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>>.FinishBundleContext context)
      implements BundleCombiner.Receiver {
    @Override
    public void combined(
        KV<KV<EventKey, @Nullable ResultWindow>, Accumulators> values, Instant earliest) {
      context.output(values, earliest, GlobalWindow.INSTANCE);
    }

    @Override
    public void toJudge(List<Event> events, Instant earliest) {
      context.output(EventBundles.TO_JUDGE, events, earliest, GlobalWindow.INSTANCE);
    }
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
