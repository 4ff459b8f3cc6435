package dev.tidemark.pipelines.simulate;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.util.Comparator;
import java.util.List;

/**
 * A step and everything that came out of the pipeline because of it.
 *
 * @param step the step
 * @param results by key, window and firing, what is taken back before what replaces it
 * @param tooLate by key and window
 * @param deadLetters the arrival, if it could not be parsed
 */
record Played(
    Step step,
    List<WindowResult> results,
    List<TooLateEvent> tooLate,
    List<DeadLetter> deadLetters) {

  private static final Comparator<ResultWindow> GLOBAL_LAST =
      Comparator.nullsLast(Comparator.naturalOrder());
  private static final Comparator<WindowResult> RESULT_ORDER =
      Comparator.comparing(WindowResult::key)
          .thenComparing(WindowResult::window, GLOBAL_LAST)
          .thenComparing(WindowResult::firingSequence)
          .thenComparing(WindowResult::kind);
  private static final Comparator<TooLateEvent> TOO_LATE_ORDER =
      Comparator.comparing((TooLateEvent tooLate) -> tooLate.event().key())
          .thenComparing(TooLateEvent::window);

  Played {
    results = results.stream().sorted(RESULT_ORDER).toList();
    tooLate = tooLate.stream().sorted(TOO_LATE_ORDER).toList();
    deadLetters = List.copyOf(deadLetters);
  }
}
