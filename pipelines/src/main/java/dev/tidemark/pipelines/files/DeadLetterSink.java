package dev.tidemark.pipelines.files;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;

/**
 * Writes dead letters under their reason and the date and hour (in UTC) of their arrival: {@code
 * dead-letters/reason=NOT_JSON/dt=2026-07-04/hr=10/PREFIX-p0-00000-of-00001.ndjson}. See {@link
 * NdjsonFiles} for the names, the output, and for when files are written; none is ever too late.
 */
public final class DeadLetterSink
    extends PTransform<PCollection<DeadLetter>, PCollection<KV<String, String>>> {
  private final NdjsonFiles<DeadLetter> files;

  private DeadLetterSink(NdjsonFiles<DeadLetter> files) {
    this.files = files;
  }

  /**
   * Writes to an output directory.
   *
   * @param output the directory that {@code dead-letters/} lies in
   * @param prefix what the files' names start with: no other run writing to the directory has it
   */
  public static DeadLetterSink of(String output, String prefix) {
    return of(output, OutputDirectory.DEAD_LETTERS, prefix);
  }

  /** The same for dead letters that have failed too often, which go to {@code severe/}. */
  public static DeadLetterSink severe(String output, String prefix) {
    return of(output, OutputDirectory.SEVERE, prefix);
  }

  private static DeadLetterSink of(String output, String lane, String prefix) {
    return new DeadLetterSink(
        NdjsonFiles.<DeadLetter>of(
                output, lane, prefix, dead -> dead.raw().arrivedAt(), DeadLetterJson::line)
            .withDirectory(dead -> "reason=" + dead.reason()));
  }

  /** See {@link NdjsonFiles#withTemporaryDirectory}. */
  public DeadLetterSink withTemporaryDirectory(String directory) {
    return new DeadLetterSink(files.withTemporaryDirectory(directory));
  }

  /** See {@link NdjsonFiles#rollingAt}. */
  public DeadLetterSink rollingAt(DeadLetterRolling rolling) {
    return rolling.bytes() == 0
        ? this
        : new DeadLetterSink(files.rollingAt(rolling.bytes(), rolling.every()));
  }

  /** See {@link NdjsonFiles#spreadOver}. */
  public DeadLetterSink spreadOver(int number) {
    return new DeadLetterSink(files.spreadOver(number));
  }

  @Override
  public PCollection<KV<String, String>> expand(PCollection<DeadLetter> deadLetters) {
    return deadLetters.apply("Write files", files);
  }
}
