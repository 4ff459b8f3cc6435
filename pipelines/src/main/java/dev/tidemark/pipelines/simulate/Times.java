package dev.tidemark.pipelines.simulate;

import dev.tidemark.policy.Durations;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads the times that a person writes for a simulation. */
final class Times {
  static final String INSTANT_ALLOWED =
      "ISO-8601 text with an offset, in the years 1 to 9999, as 2026-07-04T10:00:00Z";
  static final String DURATION_ALLOWED =
      "a duration above zero and below 36525d, as 10s, 1h30m or PT5M";

  private static final int DURATION_MAX_DAYS = 36_525;

  private Times() {}

  /** The instant, or null if the text is none. */
  static @Nullable Instant instant(String text) {
    try {
      OffsetDateTime time = OffsetDateTime.parse(text);
      boolean inRange = time.getYear() >= 1 && time.getYear() <= 9999;
      return inRange ? Instant.ofEpochMilli(time.toInstant().toEpochMilli()) : null;
    } catch (DateTimeException notAnInstant) {
      return null;
    }
  }

  /** The duration, or null if the text is none, or not within the bounds. */
  static @Nullable Duration duration(String text) {
    java.time.Duration duration = Durations.parse(text);
    boolean allowed =
        duration != null && !duration.isZero() && duration.toDays() < DURATION_MAX_DAYS;
    return allowed ? Duration.millis(duration.toMillis()) : null;
  }
}
