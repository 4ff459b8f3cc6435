package dev.tidemark.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A span of time in whole milliseconds, as {@code 1h30m} or ISO-8601 {@code PT1H30M}. A day is 24
 * hours.
 *
 * @param aboveZero whether zero is refused
 */
record DurationShape(boolean aboveZero) implements Shape<Duration> {
  static final Shape<Duration> ANY = new DurationShape(false);
  static final Shape<Duration> ABOVE_ZERO = new DurationShape(true);

  private static final java.time.Duration LONGEST = java.time.Duration.ofDays(36_525);

  @Override
  public @Nullable Duration read(Place place) {
    String text = place.text();
    java.time.Duration duration =
        text == null || !place.isTagged(Tag.STR) ? null : Durations.parse(text);
    if (duration == null) {
      return mismatch(place);
    }
    if (duration.compareTo(LONGEST) > 0) {
      return refuse(place, place.described() + " is longer than 100 years", "write at most 36525d");
    }
    if (aboveZero && duration.isZero()) {
      return refuse(place, place.described() + " is not above zero", "write at least 1ms");
    }
    return Duration.millis(duration.toMillis());
  }

  @Override
  public ObjectNode schema() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "string")
        .put("pattern", "^" + (aboveZero ? "(?=.*[1-9])" : "") + Durations.PATTERN + "$");
  }

  @Override
  public String what() {
    return "a duration";
  }

  @Override
  public String allowed() {
    return "write 5m, 1h30m, 250ms or PT5M";
  }
}
