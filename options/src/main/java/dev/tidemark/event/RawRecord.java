package dev.tidemark.event;

import java.util.Arrays;
import java.util.Objects;
import org.joda.time.Instant;

/**
 * A record as its source gave it. Carries the bytes untouched, so that whatever becomes of the
 * record, nothing needs the source again.
 *
 * @param bytes without the line's end; never changed
 * @param origin where it came from
 * @param arrivedAt when the source received it
 */
@SuppressWarnings(
    "ArrayRecordComponent") // equality is by content, below; copying 10 MB lines is not
public record RawRecord(byte[] bytes, Origin origin, Instant arrivedAt) {

  @Override
  public boolean equals(Object other) {
    return other instanceof RawRecord that
        && Arrays.equals(bytes, that.bytes)
        && origin.equals(that.origin)
        && arrivedAt.equals(that.arrivedAt);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(bytes), origin, arrivedAt);
  }
}
