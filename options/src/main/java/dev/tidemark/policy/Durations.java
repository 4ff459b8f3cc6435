package dev.tidemark.policy;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/** How durations are written: {@code 1h30m} or ISO-8601 {@code PT1H30M}. A day is 24 hours. */
public final class Durations {
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

  /** What {@link #parse} accepts, as a regular expression. */
  static final String PATTERN = "(?:" + UNITS.pattern() + "|" + ISO.pattern() + ")";

  private Durations() {}

  /** The duration, zero or more whole milliseconds; null if the text is none. */
  public static java.time.@Nullable Duration parse(String text) {
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

  /** A duration as policies write it: {@code 1h30m}. */
  public static String text(Duration duration) {
    long millis = duration.getMillis();
    if (millis == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    String[] units = {"d", "h", "m", "s", "ms"};
    long[] sizes = {86_400_000, 3_600_000, 60_000, 1_000, 1};
    for (int i = 0; i < units.length; i++) {
      if (millis >= sizes[i]) {
        text.append(millis / sizes[i]).append(units[i]);
        millis %= sizes[i];
      }
    }
    return text.toString();
  }
}
