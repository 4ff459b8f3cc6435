package dev.tidemark.dlq;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Exact decimals within bounds. Every double fits; {@code 1e999999999} does not, since ten bytes
 * must not become a billion digits further on.
 */
final class Decimals {
  static final String ALLOWED = "a number of at most 400 digits, with an exponent from -400 to 400";

  private static final int MAX_DIGITS = 400;
  private static final int MAX_SCALE = 400;

  /** Longer than any number within the bounds is written; keeps the parsing itself short. */
  private static final int MAX_LENGTH = 2_000;

  private Decimals() {}

  /** Reads a number as {@link BigDecimal} does; null where it is none or out of bounds. */
  static @Nullable BigDecimal parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return null;
    }
    try {
      BigDecimal value = new BigDecimal(text);
      return isWithinBounds(value) ? value : null;
    } catch (NumberFormatException notANumber) {
      return null;
    }
  }

  private static boolean isWithinBounds(BigDecimal value) {
    return value.precision() <= MAX_DIGITS
        && value.scale() <= MAX_SCALE
        && value.scale() >= -MAX_SCALE;
  }
}
