package dev.tidemark.dlq;

import java.io.Serializable;
import java.util.EnumMap;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;

/**
 * Counts what became of records, under the namespace {@code tidemark}: {@code read}, {@code
 * events}, {@code deadLetters} and {@code deadLetters.REASON} for each {@link Reason}. For a step
 * with a {@link RecordParser}.
 */
public final class ParseCounters implements Serializable {
  private static final String METRICS = "tidemark";

  private final Counter read = Metrics.counter(METRICS, "read");
  private final Counter events = Metrics.counter(METRICS, "events");
  private final Counter deadLetters = Metrics.counter(METRICS, "deadLetters");
  private final EnumMap<Reason, Counter> deadLettersByReason = new EnumMap<>(Reason.class);

  public ParseCounters() {
    for (Reason reason : Reason.values()) {
      deadLettersByReason.put(reason, Metrics.counter(METRICS, "deadLetters." + reason));
    }
  }

  /** Counts records that became events. */
  public void countEvents(long records) {
    read.inc(records);
    events.inc(records);
  }

  /** Counts a record that became a dead letter. */
  public void countDeadLetter(DeadLetter deadLetter) {
    read.inc();
    deadLetters.inc();
    deadLettersByReason.get(deadLetter.reason()).inc();
  }
}
