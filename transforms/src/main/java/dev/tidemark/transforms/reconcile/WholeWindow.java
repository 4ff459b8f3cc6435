package dev.tidemark.transforms.reconcile;

import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.aggregate.Accumulators;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A window as it would have been, had all its events come in time.
 *
 * @param window the window
 * @param parts the windows that it is made of: itself, or the sessions that become one
 * @param merged whether several sessions that have fired become one
 * @param fired the firings that it counts
 * @param missed the events that it missed, each once
 */
record WholeWindow(
    ResultWindow window,
    List<ResultWindow> parts,
    boolean merged,
    List<ResultLine> fired,
    List<TooLateEvent> missed) {

  /** Whether these results, which stand, say it all. */
  boolean isStatedBy(List<ResultLine> standing) {
    return missed.isEmpty() && !merged && standing.containsAll(fired);
  }

  /** Grows with what fires and with what comes too late, and with nothing else. */
  long firingSequence() {
    long highest = fired.stream().mapToLong(line -> line.result().firingSequence()).max().orElse(0);
    return highest + missed.size();
  }

  /** The highest watermark that the firings and the lateness of the events prove. */
  @Nullable Instant watermark(Policy policy) {
    return Stream.concat(
            fired.stream().map(line -> line.result().watermark()).filter(Objects::nonNull),
            missed.stream().map(event -> event.window().end().plus(policy.allowedLateness())))
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** What the policy's aggregates keep of all its events. */
  Accumulators accumulators(Policy policy) {
    List<Aggregate> aggregates = policy.aggregateList();
    Accumulators all = Accumulators.empty(aggregates);
    fired.forEach(line -> all.merge(line.accumulators(policy)));
    missed.forEach(event -> all.merge(Accumulators.of(aggregates, event.event())));
    return all;
  }
}
