package dev.tidemark.pipelines;

import java.util.Collection;
import java.util.Comparator;
import org.apache.beam.sdk.util.StringUtils;

/** Finds the name that a mistyped one was meant to be. */
public final class Nearest {
  private Nearest() {}

  /**
   * {@code "; did you mean …?"} with the name that the fewest changed letters lead to, or nothing
   * where none is near.
   */
  public static String hint(String wrong, Collection<String> names) {
    return names.stream()
        .min(Comparator.comparingInt(name -> distance(wrong, name)))
        .filter(name -> distance(wrong, name) <= Math.max(2, wrong.length() / 3))
        .map(name -> "; did you mean " + name + "?")
        .orElse("");
  }

  private static int distance(String a, String b) {
    return StringUtils.getLevenshteinDistance(a, b);
  }
}
