package dev.tidemark.policy;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The recurring parts of messages. */
final class Messages {
  private static final int LONGEST_QUOTE = 60;
  private static final int LONGEST_LIST = 20;

  private Messages() {}

  /** Text that a user wrote, in quotes, shortened where it is long. */
  static String quote(String text) {
    return "'" + shorten(text) + "'";
  }

  /** Text that a user wrote, shortened where it is long. */
  static String shorten(String text) {
    return text.codePointCount(0, text.length()) <= LONGEST_QUOTE
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST_QUOTE)) + "…";
  }

  /** {@code write a, b or c}. */
  static String writeOneOf(Collection<String> names) {
    String list = String.join(", ", names.stream().limit(LONGEST_LIST).toList());
    return "write " + (names.size() > 1 ? "one of " : "") + list + more(names.size());
  }

  private static String more(int size) {
    return size > LONGEST_LIST ? " and " + (size - LONGEST_LIST) + " more" : "";
  }

  /** The nearest of the known names where one is near, or else all of them. */
  static String didYouMean(String written, Collection<String> known) {
    return nearest(written, known)
        .map(name -> "did you mean " + quote(name) + "?")
        .orElseGet(() -> writeOneOf(known));
  }

  /** The known name that a slip of the pen could have turned into what is written. */
  static Optional<String> nearest(String written, Collection<String> known) {
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String name : known) {
      int slips = Math.max(1, name.length() / 3);
      if (written.length() <= LONGEST_QUOTE
          && Math.abs(name.length() - written.length()) <= slips) {
        int distance = distance(written.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
        if (distance <= slips && distance < bestDistance) {
          best = name;
          bestDistance = distance;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /** How many characters to insert, drop, change or swap with their neighbour. */
  private static int distance(String a, String b) {
    int[][] distance = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        distance[i][j] = i == 0 || j == 0 ? i + j : step(distance, a, b, i, j);
      }
    }
    return distance[a.length()][b.length()];
  }

  private static int step(int[][] distance, String a, String b, int i, int j) {
    int change = distance[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(change, Math.min(distance[i - 1][j], distance[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, distance[i - 2][j - 2] + 1) : best;
  }
}
