package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.ReparseDeadLetters;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.TypeDescriptors;

/**
 * How many more dead letters went in than came out as events or dead letters: one number, which is
 * 0 if all is well. It counts elements and not metrics, so the pipeline itself can go by it.
 */
final class CountMissing extends PTransform<PCollection<DeadLetter>, PCollection<Long>> {
  private final ReparseDeadLetters.Output parsed;

  private CountMissing(ReparseDeadLetters.Output parsed) {
    this.parsed = parsed;
  }

  /** Of those that were parsed to this. */
  static CountMissing in(ReparseDeadLetters.Output parsed) {
    return new CountMissing(parsed);
  }

  @Override
  public PCollection<Long> expand(PCollection<DeadLetter> before) {
    return PCollectionList.of(each("Add what was read", before, 1))
        .and(each("Take away events", parsed.events(), -1))
        .and(each("Take away dead letters", parsed.deadLetters(), -1))
        .and(each("Take away severe dead letters", parsed.severe(), -1))
        .apply("All", Flatten.pCollections())
        .apply("Sum", Sum.longsGlobally());
  }

  private static <T> PCollection<Long> each(String step, PCollection<T> elements, long number) {
    return elements.apply(step, MapElements.into(TypeDescriptors.longs()).via(element -> number));
  }
}
