package dev.tidemark.pipelines;

import dev.tidemark.event.JsonLine;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Standard error as JSON, one object a line: {@code time}, {@code level}, {@code logger}, {@code
 * message}, and {@code exception} with its stack trace where there is one.
 */
final class JsonLogs {
  private static final String OURS = "tidemark";
  private static final String PROBLEM = OURS + ": ";

  private JsonLogs() {}

  /** Turns the logs of this process to JSON. */
  static void install() {
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFormatter(new JsonFormatter());
    }
  }

  /**
   * A writer that turns what a command says to JSON, each line an object, of level ERROR if it
   * names a problem.
   */
  static PrintWriter writer(PrintStream err) {
    return new PrintWriter(new LineWriter(err), true);
  }

  private static String line(
      Instant time, String level, String logger, String message, @Nullable String exception) {
    return JsonLine.of(
        json -> {
          JsonLine.writeInstant(json, "time", time);
          json.writeStringField("level", level);
          json.writeStringField("logger", logger);
          json.writeStringField("message", message);
          if (exception != null) {
            json.writeStringField("exception", exception);
          }
        });
  }

  /** Log records of the JDK's logger, which SLF4J leads to. */
  static final class JsonFormatter extends Formatter {
    @Override
    public String format(LogRecord record) {
      Throwable thrown = record.getThrown();
      return line(
              Instant.ofEpochMilli(record.getMillis()),
              level(record.getLevel()),
              String.valueOf(record.getLoggerName()),
              formatMessage(record),
              thrown == null ? null : stackTrace(thrown))
          + System.lineSeparator();
    }

    /** By the names that SLF4J has for them. */
    private static String level(Level level) {
      if (level.intValue() >= Level.SEVERE.intValue()) {
        return "ERROR";
      } else if (level.intValue() >= Level.WARNING.intValue()) {
        return "WARN";
      }
      return level.intValue() >= Level.INFO.intValue() ? "INFO" : "DEBUG";
    }

    private static String stackTrace(Throwable thrown) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      return trace.toString();
    }
  }

  /** Lines of text, each written as an object once it is whole. */
  private static final class LineWriter extends Writer {
    private final PrintStream err;
    private final StringBuilder text = new StringBuilder();

    LineWriter(PrintStream err) {
      this.err = err;
    }

    @Override
    public void write(char[] chars, int offset, int length) {
      text.append(chars, offset, length);
      for (int end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
        say(text.substring(0, end).stripTrailing());
        text.delete(0, end + 1);
      }
    }

    private void say(String message) {
      boolean problem = message.startsWith(PROBLEM);
      String shown = problem ? message.substring(PROBLEM.length()) : message;
      err.println(line(Instant.now(), problem ? "ERROR" : "INFO", OURS, shown, null));
    }

    @Override
    public void flush() {
      err.flush();
    }

    @Override
    public void close() {
      flush();
    }
  }
}
