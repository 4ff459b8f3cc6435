package dev.tidemark.event;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Where a record came from, exactly enough to find it again. */
public sealed interface Origin extends Serializable {

  /** The place as messages show it, {@code FILE:LINE} say. */
  String place();

  /**
   * A line of a file.
   *
   * @param file the file's full name
   * @param offset the position of the line's first byte (of the uncompressed content)
   * @param line the line's number from 1; null where the file was read in ranges
   */
  record FileLine(String file, long offset, @Nullable Long line) implements Origin {
    @Override
    public String place() {
      return line == null ? file + ": at byte " + offset : file + ":" + line;
    }
  }

  /**
   * A step of Beam's own that could not handle the record.
   *
   * @param attempt what the step was about to do, in its own words
   */
  record Attempt(String attempt) implements Origin {
    @Override
    public String place() {
      return attempt;
    }
  }
}
