package dev.tidemark.transforms.aggregate;

import dev.tidemark.policy.Aggregate;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.transforms.Combine.CombineFn;

/**
 * Merges the accumulators of single events, or of bundles of them, per key and window. The output
 * is the merged accumulators: {@link Accumulators#values} reads the result from them, and {@link
 * AccumulatorsCoder} keeps them for later merges.
 */
public final class AggregateFn extends CombineFn<Accumulators, Accumulators, Accumulators> {
  private final List<Aggregate> aggregates;

  private AggregateFn(List<Aggregate> aggregates) {
    this.aggregates = List.copyOf(aggregates);
  }

  /**
   * For accumulators of these aggregates.
   *
   * @param aggregates the policy's, in its order
   */
  public static AggregateFn of(List<Aggregate> aggregates) {
    return new AggregateFn(aggregates);
  }

  @Override
  public Accumulators createAccumulator() {
    return Accumulators.empty(aggregates);
  }

  @Override
  public Accumulators addInput(Accumulators accumulator, Accumulators input) {
    // One in the state of a job that began with fewer aggregates has no place for the others.
    Accumulators whole =
        accumulator.size() < aggregates.size()
            ? mergeAccumulators(List.of(accumulator))
            : accumulator;
    whole.merge(input);
    return whole;
  }

  // Into a fresh accumulator, since a runner may still hold the merged ones as elements or state.
  @Override
  public Accumulators mergeAccumulators(Iterable<Accumulators> accumulators) {
    Accumulators merged = createAccumulator();
    accumulators.forEach(merged::merge);
    return merged;
  }

  // A copy, since the accumulator may stay in a runner's state and grow after the pane is emitted.
  @Override
  public Accumulators extractOutput(Accumulators accumulator) {
    return mergeAccumulators(List.of(accumulator));
  }

  @Override
  public Coder<Accumulators> getAccumulatorCoder(
      CoderRegistry registry, Coder<Accumulators> inputCoder) {
    return AccumulatorsCoder.of(aggregates);
  }

  @Override
  public Coder<Accumulators> getDefaultOutputCoder(
      CoderRegistry registry, Coder<Accumulators> inputCoder) {
    return AccumulatorsCoder.of(aggregates);
  }
}
