package dev.tidemark.policy;

import java.time.ZoneId;
import java.util.TreeSet;

/** The time zones that policies and reporting calendars may name. */
final class Zones {
  private Zones() {}

  /** Whether the text names a zone of the tz database. */
  static boolean isKnown(String text) {
    return ZoneId.getAvailableZoneIds().contains(text);
  }

  /** What to write instead of an unknown zone. */
  static String didYouMean(String text) {
    return Messages.nearest(text, new TreeSet<>(ZoneId.getAvailableZoneIds()))
        .map(near -> "did you mean " + Messages.quote(near) + "?")
        .orElse("write a name such as Asia/Jakarta");
  }
}
