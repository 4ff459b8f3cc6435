package dev.tidemark.benchmarks.plain;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is computed of the clicks, the same by every engine. */
public enum Job {
  /** Fixed windows of 5 minutes: the count and the sum of the bytes by url. */
  J1("fixed 5 min, count + sum by url", "url", "bytes"),
  /** Sliding windows of 1 hour every minute: the count by url. */
  J2("sliding 1 h / 1 min, count by url", "url", null),
  /** Sessions of a gap of 30 minutes: the count by user. */
  J3("sessions 30 min, count by user", "user", null),
  /** Fixed windows of 5 minutes: the exact number of distinct users by url. */
  J4("fixed 5 min, distinct users by url", "url", "user"),
  /** J1 with four fifths of the clicks on one url. */
  J5("J1 with 80 % on one url", "url", "bytes");

  /** Of the fixed windows. */
  public static final Duration FIXED = Duration.ofMinutes(5);

  /** Of the sliding windows. */
  public static final Duration SLIDING = Duration.ofHours(1);

  /** How far apart the sliding windows begin. */
  public static final Duration EVERY = Duration.ofMinutes(1);

  /** Of the sessions. */
  public static final Duration GAP = Duration.ofMinutes(30);

  /** How far the clicks are out of order, at most. */
  public static final Duration DISORDER = Duration.ofSeconds(30);

  private final String description;
  private final String key;
  private final @Nullable String value;

  Job(String description, String key, @Nullable String value) {
    this.description = description;
    this.key = key;
    this.value = value;
  }

  /** In a few words. */
  public String description() {
    return description;
  }

  /** The field that is the key. */
  public String key() {
    return key;
  }

  /** The field that is aggregated; null where clicks are only counted. */
  public @Nullable String value() {
    return value;
  }

  /** Whether a field of a click is needed, besides its time. */
  public boolean needs(String field) {
    return field.equals(key) || field.equals(value);
  }

  /** Whether it runs over the clicks of which most are on one url. */
  public boolean isHot() {
    return this == J5;
  }
}
