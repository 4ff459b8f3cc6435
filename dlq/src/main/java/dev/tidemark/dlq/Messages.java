package dev.tidemark.dlq;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Keeps what a record holds from breaking the message that tells of it. */
final class Messages {
  private static final int MAX_SHOWN = 80;
  private static final int MAX_STACK_TRACE = 4_096;

  private Messages() {}

  /** At most 80 characters of the text, then an ellipsis. */
  static String cut(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
  }

  /** The text with each lone surrogate, half a character that was cut say, as a question mark. */
  static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** The first 4096 characters of a stack trace, if there is one. */
  static @Nullable String stackTrace(@Nullable String whole) {
    return whole == null
        ? null
        : wellFormed(whole.substring(0, Math.min(whole.length(), MAX_STACK_TRACE)));
  }
}
