package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.event.EventKey;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.jspecify.annotations.Nullable;

/**
 * Events as a step gives them that has a {@link BundleCombiner}.
 *
 * @param combined those that cannot be late, aggregated per key and window
 * @param toJudge the others, in batches of the same windows; null of a bounded input, of which none
 *     can be late
 */
public record EventBundles(
    PCollection<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>> combined,
    @Nullable PCollection<List<Event>> toJudge)
    implements PInput, POutput {
  /** The step's output of those that were combined. */
  public static final TupleTag<KV<KV<EventKey, @Nullable ResultWindow>, Accumulators>> COMBINED =
      new TupleTag<>("combined") {};

  /** The step's output of the others. */
  public static final TupleTag<List<Event>> TO_JUDGE = new TupleTag<>("toJudge") {};

  /** What such a step gives beside those that were combined. */
  public static TupleTagList othersThanCombined(IsBounded bounded) {
    return bounded == IsBounded.BOUNDED ? TupleTagList.empty() : TupleTagList.of(TO_JUDGE);
  }

  /**
   * What such a step reads: what it gives at a bundle's end has no window yet.
   *
   * @param elements in windows of any kind, which they leave
   */
  public static <T> PCollection<T> inGlobalWindow(PCollection<T> elements) {
    return elements.getWindowingStrategy().getWindowFn() instanceof GlobalWindows
        ? elements
        : elements.apply("Leave windows", Window.into(new GlobalWindows()));
  }

  /** From the outputs of a step. */
  public static EventBundles of(PCollectionTuple outputs, Policy policy) {
    AccumulatorsCoder accumulators = AccumulatorsCoder.of(policy.aggregateList());
    return new EventBundles(
        outputs.get(COMBINED).setCoder(KvCoder.of(ResultScope.CODER, accumulators)),
        outputs.has(TO_JUDGE)
            ? outputs.get(TO_JUDGE).setCoder(ListCoder.of(EventCoder.of()))
            : null);
  }

  /** Applies a transform to both. */
  public <T extends POutput> T apply(String name, PTransform<EventBundles, T> transform) {
    return Pipeline.applyTransform(name, this, transform);
  }

  @Override
  public Pipeline getPipeline() {
    return combined.getPipeline();
  }

  @Override
  public Map<TupleTag<?>, PValue> expand() {
    return toJudge == null
        ? Map.of(COMBINED, combined)
        : Map.of(COMBINED, combined, TO_JUDGE, toJudge);
  }

  @Override
  public void finishSpecifyingOutput(
      String transformName, PInput input, PTransform<?, ?> transform) {}
}
