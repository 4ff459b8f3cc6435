package dev.tidemark.differential;

import java.time.Duration;

/** Beam has Joda's durations; the other engines have those of {@code java.time}. */
final class JavaTime {
  private JavaTime() {}

  static Duration of(org.joda.time.Duration duration) {
    return Duration.ofMillis(duration.getMillis());
  }
}
