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
  J5("J1 with 80 % on one url", "url", "bytes"),
  /**
   * From a topic to a topic, fixed windows of 1 minute that tell what they have so far, and tell
   * again of late clicks: the count and the sum of the bytes by url.
   */
  J6("Kafka to Kafka, fixed 1 min, early and late results, count + sum by url", "url", "bytes");

  /** Of the sliding windows. */
  public static final Duration SLIDING = Duration.ofHours(1);

  /** How far apart the sliding windows begin. */
  public static final Duration EVERY = Duration.ofMinutes(1);

  /** Of the sessions. */
  public static final Duration GAP = Duration.ofMinutes(30);

  /** How far the clicks are out of order, at most. */
  public static final Duration DISORDER = Duration.ofSeconds(30);

  /** How soon J6 tells what a window that is not complete has got, by the wall clock. */
  public static final Duration EARLY = Duration.ofSeconds(1);

  /** How far J6's watermark is behind: less than the clicks are out of order, so some are late. */
  public static final Duration BEHIND = Duration.ofSeconds(10);

  /** How long after its end a window of J6 still takes clicks: longer than any is late. */
  public static final Duration LATENESS = Duration.ofMinutes(1);

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

  /** The size of its windows, where they are fixed. */
  public Duration fixed() {
    return Duration.ofMinutes(this == J6 ? 1 : 5);
  }

  /** Whether it runs over the clicks of which most are on one url. */
  public boolean isHot() {
    return this == J5;
  }

  /** Whether it reads a topic and writes one, and goes on until it is stopped. */
  public boolean isOverTopics() {
    return this == J6;
  }
}
