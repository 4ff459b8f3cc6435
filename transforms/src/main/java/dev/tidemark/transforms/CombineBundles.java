package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.jspecify.annotations.Nullable;

/** Combines the events of each bundle. */
final class CombineBundles extends PTransform<PCollection<Event>, EventBundles> {
  private final Policy policy;
  private final @Nullable WallClock clock;

  private CombineBundles(Policy policy, @Nullable WallClock clock) {
    this.policy = policy;
    this.clock = clock;
  }

  /**
   * For a policy.
   *
   * @param clock one that the watermark of unbounded events cannot pass; null if there is none
   */
  static CombineBundles of(Policy policy, @Nullable WallClock clock) {
    return new CombineBundles(policy, clock);
  }

  @Override
  public EventBundles expand(PCollection<Event> events) {
    BundleCombiner combiner = BundleCombiner.of(policy, events.isBounded(), clock);
    return EventBundles.of(
        EventBundles.inGlobalWindow(events)
            .apply(
                "Combine each bundle",
                ParDo.of(new CombineFn(combiner))
                    .withOutputTags(
                        EventBundles.COMBINED,
                        EventBundles.othersThanCombined(events.isBounded()))),
        policy);
  }

  static final class CombineFn extends CombiningFn<Event> {
    CombineFn(BundleCombiner combiner) {
      super(combiner);
    }

    @ProcessElement
    public void process(@Element Event event, MultiOutputReceiver out) {
      combine(event, out);
    }
  }
}
