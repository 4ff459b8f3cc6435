package dev.tidemark.pipelines;

import dev.tidemark.dlq.DeadLetter;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.POutput;

/**
 * One place that elements of one kind leave a pipeline for.
 *
 * @param step the name of the step that writes there; no other outlet of the kind has it
 * @param place the place as people find it, a directory say
 * @param write the step; its output is {@link Refused} where the place may refuse elements, and
 *     anything else where it takes them all
 */
public record Outlet<T>(
    String step, String place, PTransform<PCollection<T>, ? extends POutput> write) {

  /**
   * Writes the elements to each of the places.
   *
   * @return what the places refused, one collection for each that may
   */
  public static <T> List<PCollection<DeadLetter>> writeAll(
      PCollection<T> elements, List<Outlet<T>> outlets) {
    List<PCollection<DeadLetter>> refused = new ArrayList<>();
    for (Outlet<T> outlet : outlets) {
      if (elements.apply(outlet.step(), outlet.write()) instanceof Refused some) {
        refused.add(some.deadLetters());
      }
    }
    return refused;
  }
}
