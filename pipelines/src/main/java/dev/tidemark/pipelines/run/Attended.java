package dev.tidemark.pipelines.run;

import dev.tidemark.pipelines.Destination;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * A running pipeline and the user in front of it: shows its progress until it ends, cancels it when
 * the user interrupts or an alarm goes off, and leaves no temporary files in any case.
 */
final class Attended {
  /** How a pipeline ended. */
  enum End {
    DONE,
    FAILED,
    /** Another job has taken its state over and goes on with it. */
    REPLACED
  }

  private static final Duration POLL = Duration.standardSeconds(1);

  private final PipelineResult running;
  private final Destination destination;
  private final PrintWriter err;
  private final Supplier<Summary> summary;
  private boolean replaced;
  private volatile boolean ended;
  private volatile boolean interrupted;

  /**
   * @param summary of the run as it is when asked
   */
  Attended(
      PipelineResult running, Destination destination, PrintWriter err, Supplier<Summary> summary) {
    this.running = running;
    this.destination = destination;
    this.err = err;
    this.summary = summary;
  }

  /**
   * Waits for the pipeline's end.
   *
   * @return how it ended; if it failed, the user knows why
   */
  End awaitEnd(Progress progress, List<DeadLetterAlarm> alarms) throws IOException {
    Runtime.getRuntime().addShutdownHook(new Thread(this::interrupt));
    try {
      State state = running.waitUntilFinish(POLL);
      while (state == null || !state.isTerminal()) {
        progress.update(Counts.of(running.metrics()), Instant.now());
        if (isAlarmed(alarms, false)) {
          running.cancel();
          return End.FAILED;
        }
        state = running.waitUntilFinish(POLL);
      }
      if (state.hasReplacementJob()) {
        replaced = true;
        return End.REPLACED;
      }
      if (state != State.DONE && !interrupted) {
        throw new IllegalStateException("the pipeline ended as " + state);
      }
      return interrupted || isAlarmed(alarms, true) ? End.FAILED : End.DONE;
    } finally {
      ended = true;
      progress.finish();
      if (!replaced) { // another job goes on with the files that are being written
        destination.cleanUp();
      }
    }
  }

  private boolean isAlarmed(List<DeadLetterAlarm> alarms, boolean ended) {
    List<String> problems =
        alarms.stream()
            .map(alarm -> alarm.look(Counts.ofMetric(running.metrics(), alarm.metric()), ended))
            .filter(Objects::nonNull)
            .toList();
    problems.forEach(problem -> err.println("tidemark: failed: " + problem));
    return !problems.isEmpty();
  }

  private void interrupt() {
    if (ended) {
      return;
    }
    interrupted = true;
    try {
      running.cancel();
      destination.cleanUp();
      summary.get().printCounts(err);
      err.println("tidemark: cancelled; windows that were open are not in the output");
    } catch (IOException e) {
      err.println("tidemark: cancelled, but temporary files are left: " + e.getMessage());
    }
  }
}
