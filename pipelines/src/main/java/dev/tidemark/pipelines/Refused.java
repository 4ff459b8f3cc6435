package dev.tidemark.pipelines;

import dev.tidemark.dlq.DeadLetter;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;

/**
 * What is left of the elements that an {@link Outlet} was to write: those that its place refused.
 *
 * @param deadLetters each with the line that would have been written; in the global window, fired
 *     as they come
 */
public record Refused(PCollection<DeadLetter> deadLetters) implements POutput {
  private static final TupleTag<DeadLetter> TAG = new TupleTag<>("refused");

  @Override
  public Pipeline getPipeline() {
    return deadLetters.getPipeline();
  }

  @Override
  public Map<TupleTag<?>, PValue> expand() {
    return Map.of(TAG, deadLetters);
  }

  @Override
  public void finishSpecifyingOutput(
      String transformName, PInput input, PTransform<?, ?> transform) {}
}
