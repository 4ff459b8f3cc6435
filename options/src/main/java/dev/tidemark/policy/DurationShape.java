package dev.tidemark.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  // 13 digits hold 100 years in milliseconds, and no unit of 13 digits overflows java.time.
  private static final Pattern UNITS =
      Pattern.compile(
          "(?=[0-9])(?:([0-9]{1,13})d)?(?:([0-9]{1,13})h)?(?:([0-9]{1,13})m)?"
              + "(?:([0-9]{1,13})s)?(?:([0-9]{1,13})ms)?");
  private static final Pattern ISO =
      Pattern.compile(
          "P(?=[0-9T])(?:[0-9]{1,13}D)?"
              + "(?:T(?=[0-9])(?:[0-9]{1,13}H)?(?:[0-9]{1,13}M)?"
              + "(?:[0-9]{1,13}(?:\\.[0-9]{1,3})?S)?)?");
  private static final java.time.Duration LONGEST = java.time.Duration.ofDays(36_525);

  @Override
  public @Nullable Duration read(Place place) {
    String text = place.text();
    java.time.Duration duration = text == null || !place.isTagged(Tag.STR) ? null : parse(text);
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

  private static java.time.@Nullable Duration parse(String text) {
    if (ISO.matcher(text).matches()) {
      return java.time.Duration.parse(text);
    }
    Matcher units = UNITS.matcher(text);
    if (!units.matches()) {
      return null;
    }
    return java.time.Duration.ofDays(unit(units, 1))
        .plusHours(unit(units, 2))
        .plusMinutes(unit(units, 3))
        .plusSeconds(unit(units, 4))
        .plusMillis(unit(units, 5));
  }

  private static long unit(Matcher units, int group) {
    String digits = units.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  @Override
  public ObjectNode schema() {
    String pattern = "(?:" + UNITS.pattern() + "|" + ISO.pattern() + ")";
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "string")
        .put("pattern", "^" + (aboveZero ? "(?=.*[1-9])" : "") + pattern + "$");
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
