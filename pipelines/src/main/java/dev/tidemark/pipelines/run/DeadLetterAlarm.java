package dev.tidemark.pipelines.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells when too many of one metric's latest records are dead letters. It looks at counters now and
 * then, so that what it judges is at least as many records as asked for, and seldom exactly.
 */
final class DeadLetterAlarm {
  private final String metric;
  private final double maxRatio;
  private final long over;
  private final Deque<Counts> looks = new ArrayDeque<>();

  /**
   * @param maxRatio dead letters to records, 0 to 1, that is still allowed
   * @param over how many records it takes to judge, more than 0
   */
  DeadLetterAlarm(String metric, double maxRatio, long over) {
    this.metric = metric;
    this.maxRatio = maxRatio;
    this.over = over;
    looks.add(new Counts(Map.of()));
  }

  String metric() {
    return metric;
  }

  /**
   * Looks once more.
   *
   * @param ended whether no more records will come, so that fewer have to do
   * @return what is wrong; null if nothing is, or there are too few records to tell
   */
  @Nullable String look(Counts counts, boolean ended) {
    looks.addLast(counts);
    Counts base = looks.removeFirst();
    while (counts.read() - looks.getFirst().read() >= over) {
      base = looks.removeFirst();
    }
    looks.addFirst(base);
    Counts latest = counts.since(base);
    boolean enough = ended || latest.read() >= over;
    return enough && latest.deadLetters() > maxRatio * latest.read() ? message(latest) : null;
  }

  private String message(Counts latest) {
    return "%s: %.4f of the latest %,d records are dead letters, more than --maxDeadLetterRatio=%s;"
            .formatted(
                metric, (double) latest.deadLetters() / latest.read(), latest.read(), maxRatio)
        + " most of them "
        + latest.topReasons(1);
  }
}
