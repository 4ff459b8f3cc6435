package dev.tidemark.pipelines.run;

import dev.tidemark.transforms.ResultKind;
import java.io.PrintWriter;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Says how far a run has come: on a terminal in one line that is kept up to date, elsewhere in a
 * line now and then.
 */
final class Progress {
  private static final Duration PLAIN_EVERY = Duration.standardSeconds(5);
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean terminal;
  private final Instant started;
  private Instant shown;
  private long readBefore;
  private Instant readAt;

  /**
   * @param terminal whether {@code err} is a terminal
   */
  Progress(PrintWriter err, boolean terminal, Instant started) {
    this.err = err;
    this.terminal = terminal;
    this.started = started;
    this.shown = started;
    this.readAt = started;
  }

  /** To be called about once a second. */
  void update(Counts counts, Instant now) {
    if (terminal) {
      err.print(CLEAR_LINE + line(counts, now));
      err.flush();
    } else if (!now.isBefore(shown.plus(PLAIN_EVERY))) {
      err.println(line(counts, now));
      shown = now;
    } else {
      return;
    }
    readBefore = counts.read();
    readAt = now;
  }

  /** Leaves the line to what comes next. */
  void finish() {
    if (terminal) {
      err.print(CLEAR_LINE);
      err.flush();
    }
  }

  private String line(Counts counts, Instant now) {
    double seconds = Math.max(1, now.getMillis() - readAt.getMillis()) / 1000.0;
    return "%ds: %,d events, %,.0f/s%s; %,d panes%s; %,d dead letters; %,d too late"
        .formatted(
            new Duration(started, now).getStandardSeconds(),
            counts.read(),
            (counts.read() - readBefore) / seconds,
            watermark(counts.watermark(), now),
            counts.panes(),
            kinds(counts.panesByKind()),
            counts.deadLetters(),
            counts.tooLate());
  }

  private static String watermark(@Nullable Instant watermark, Instant now) {
    if (watermark == null || !watermark.isAfter(BoundedWindow.TIMESTAMP_MIN_VALUE)) {
      return ""; // nothing has come yet
    }
    return watermark.isBefore(BoundedWindow.TIMESTAMP_MAX_VALUE)
        ? "; watermark %s, %,d s behind"
            .formatted(watermark, new Duration(watermark, now).getStandardSeconds())
        : "; watermark at its end";
  }

  private static String kinds(Map<ResultKind, Long> panes) {
    return panes.isEmpty()
        ? ""
        : panes.entrySet().stream()
            .map(kind -> "%s %,d".formatted(kind.getKey(), kind.getValue()))
            .collect(Collectors.joining(", ", " (", ")"));
  }
}
