package dev.tidemark.pipelines;

import java.util.List;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;

/**
 * One place that elements of one kind leave a pipeline for.
 *
 * @param step the name of the step that writes there; no other outlet of the kind has it
 * @param place the place as people find it, a directory say
 * @param write the step
 */
public record Outlet<T>(String step, String place, PTransform<PCollection<T>, PDone> write) {

  /** Writes the elements to each of the places. */
  public static <T> void writeAll(PCollection<T> elements, List<Outlet<T>> outlets) {
    outlets.forEach(outlet -> elements.apply(outlet.step(), outlet.write()));
  }
}
