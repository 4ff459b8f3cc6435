package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;

/** Windows, gates and aggregates the events of one policy. */
public final class WindowedAggregation
    extends PTransform<PCollection<Event>, WindowedAggregation.Output> {
  private final Policy policy;

  private WindowedAggregation(Policy policy) {
    this.policy = policy;
  }

  public static WindowedAggregation of(Policy policy) {
    return new WindowedAggregation(policy);
  }

  /** Judges lateness only where the wall clock leaves it possible; without it, everywhere. */
  public WindowedAggregation withWallClock(WallClock clock) {
    return this;
  }

  @Override
  public Output expand(PCollection<Event> events) {
    throw new UnsupportedOperationException(policy.metric());
  }

  /** Results and the too-late lane. */
  public record Output(
      Pipeline pipeline, PCollection<WindowResult> results, PCollection<TooLateEvent> tooLate)
      implements POutput {
    private static final TupleTag<WindowResult> RESULTS = new TupleTag<>("results");
    private static final TupleTag<TooLateEvent> TOO_LATE = new TupleTag<>("tooLate");

    @Override
    public Pipeline getPipeline() {
      return pipeline;
    }

    @Override
    public Map<TupleTag<?>, PValue> expand() {
      return Map.of(RESULTS, results, TOO_LATE, tooLate);
    }

    @Override
    public void finishSpecifyingOutput(
        String transformName, PInput input, PTransform<?, ?> transform) {}
  }
}
