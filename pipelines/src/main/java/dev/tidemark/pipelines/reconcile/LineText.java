package dev.tidemark.pipelines.reconcile;

import dev.tidemark.event.RawRecord;
import dev.tidemark.transforms.reconcile.UnusableTrailException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** A line of the trail or of the too-late lane as text, and where it stands. */
final class LineText {
  private LineText() {}

  /**
   * Reads a line.
   *
   * @param reader throws IllegalArgumentException, saying what is wrong with the text
   * @throws UnusableTrailException with file and line, if the line cannot be read
   */
  static <T> T read(RawRecord line, Function<String, T> reader) {
    try {
      return reader.apply(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.bytes())).toString());
    } catch (CharacterCodingException e) {
      throw refused(line, "not UTF-8");
    } catch (IllegalArgumentException e) {
      throw refused(line, String.valueOf(e.getMessage()));
    }
  }

  private static UnusableTrailException refused(RawRecord line, String problem) {
    return new UnusableTrailException(line.origin().place() + ": " + problem);
  }
}
