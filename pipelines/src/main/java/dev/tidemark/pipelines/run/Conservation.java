package dev.tidemark.pipelines.run;

import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import java.util.ArrayList;
import java.util.List;

/**
 * That nothing is lost: each record read is an event or a dead letter, and each event is, for each
 * of its windows, counted, too late or, where the policy says so, dropped.
 */
public final class Conservation {
  private Conservation() {}

  /** What does not add up, a line each; none if all is accounted for. */
  public static List<String> imbalances(Policy policy, Counts counts) {
    List<String> imbalances = new ArrayList<>();
    if (counts.read() != counts.events() + counts.deadLetters()) {
      imbalances.add(
          "%s: %,d records read, but %,d events and %,d dead letters"
              .formatted(policy.metric(), counts.read(), counts.events(), counts.deadLetters()));
    }
    long placed = counts.counted() + counts.tooLate() + counts.dropped();
    if (!isWhole(policy.windowing(), counts, placed)) {
      imbalances.add(
          "%s: %,d events, but %,d counted, %,d too late and %,d dropped, for each of their windows"
              .formatted(
                  policy.metric(),
                  counts.events(),
                  counts.counted(),
                  counts.tooLate(),
                  counts.dropped()));
    }
    if (counts.droppedByRunner() != 0) {
      imbalances.add(
          "%s: the runner dropped %,d for being late"
              .formatted(policy.metric(), counts.droppedByRunner()));
    }
    return imbalances;
  }

  /**
   * Exact where windows were counted as they were given; else between the fewest and the most of an
   * event.
   */
  private static boolean isWhole(Windowing windowing, Counts counts, long placed) {
    if (counts.assigned() != 0 && counts.assigned() != placed) {
      return false;
    }
    if (windowing instanceof Windowing.Sliding sliding) {
      long size = sliding.size().getMillis();
      long every = sliding.every().getMillis();
      return placed >= counts.events() * (size / every)
          && placed <= counts.events() * ((size + every - 1) / every);
    }
    return placed == counts.events();
  }
}
