package dev.tidemark.dlq;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps what a record holds from breaking the message that tells of it. */
final class Messages {
  private static final int MAX_SHOWN = 80;
  private static final int MAX_STACK_TRACE = 4_096;
  private static final int MAX_CAUSES = 4;
  private static final int MAX_FRAMES = 8;
  private static final String OURS = "dev.tidemark.";

  private Messages() {}

  /** At most 80 characters of the text, then an ellipsis. */
  static String cut(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
  }

  /** The text with each lone surrogate, half a character that was cut say, as a question mark. */
  static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /**
   * An exception and its causes as Java prints them, each with no more than the place where it was
   * thrown, eight frames at most, and the first frame of ours: what called that is the same for
   * every record.
   */
  static @Nullable String stackTrace(@Nullable Throwable thrown) {
    if (thrown == null) {
      return null;
    }
    String text =
        Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
            .limit(MAX_CAUSES)
            .map(cause -> cause + "\n" + frames(cause.getStackTrace()))
            .collect(Collectors.joining("Caused by: "));
    return stackTrace(text);
  }

  private static String frames(StackTraceElement[] trace) {
    StringBuilder frames = new StringBuilder();
    boolean ours = false;
    for (int i = 0; i < trace.length && !ours; i++) {
      ours = trace[i].getClassName().startsWith(OURS);
      if (ours || i < MAX_FRAMES) {
        frames.append("\tat ").append(trace[i]).append('\n');
      }
    }
    return frames.toString();
  }

  /** The first 4096 characters of a stack trace, if there is one. */
  static @Nullable String stackTrace(@Nullable String whole) {
    return whole == null
        ? null
        : wellFormed(whole.substring(0, Math.min(whole.length(), MAX_STACK_TRACE)));
  }
}
