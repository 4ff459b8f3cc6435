package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.pipelines.files.LineSource;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/** Reads a file of dead letters line by line, in the memory of one. */
final class DeadLetterFile {
  private DeadLetterFile() {}

  /**
   * Reads all lines.
   *
   * @param malformed gets {@code FILE:LINE: what is wrong} for each line that is no dead letter
   */
  static void read(Metadata file, Consumer<DeadLetter> deadLetters, Consumer<String> malformed)
      throws IOException {
    LineSource lines = new LineSource(file, 0, Long.MAX_VALUE, WallClock.SYSTEM);
    try (var reader = lines.createReader(PipelineOptionsFactory.create())) {
      for (boolean more = reader.start(); more; more = reader.advance()) {
        DeadLetter deadLetter;
        try {
          deadLetter = parse(reader.getCurrent());
        } catch (IllegalArgumentException e) {
          malformed.accept(String.valueOf(e.getMessage()));
          continue;
        }
        deadLetters.accept(deadLetter);
      }
    }
  }

  /**
   * The dead letter of a line.
   *
   * @throws IllegalArgumentException with file and line, if it is none
   */
  static DeadLetter parse(RawRecord line) {
    try {
      return DeadLetterJson.parse(line.bytes());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(line.origin().place() + ": " + e.getMessage(), e);
    }
  }
}
