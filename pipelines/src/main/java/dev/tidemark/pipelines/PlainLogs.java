package dev.tidemark.pipelines;

import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Log records as a line each: level, message and, in place of a stack trace, what the cause of it
 * all says. Loaded by the JDK's logging, as its configuration names it.
 */
public final class PlainLogs extends Formatter {
  @Override
  public String format(LogRecord record) {
    String line = record.getLevel().getName() + ": " + formatMessage(record);
    return record.getThrown() == null
        ? line + System.lineSeparator()
        : line.replaceFirst(":?$", ": ") + cause(record.getThrown()) + System.lineSeparator();
  }

  private static String cause(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.toString().lines().findFirst().orElse("");
  }
}
