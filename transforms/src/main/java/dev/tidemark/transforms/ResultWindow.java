package dev.tidemark.transforms;

import java.io.Serializable;
import org.joda.time.Instant;

/**
 * The window [start, end) of a result.
 *
 * @param start its first instant
 * @param end the first instant after it
 */
public record ResultWindow(Instant start, Instant end)
    implements Serializable, Comparable<ResultWindow> {

  @Override
  public int compareTo(ResultWindow other) {
    int byEnd = end.compareTo(other.end);
    return byEnd != 0 ? byEnd : start.compareTo(other.start);
  }
}
