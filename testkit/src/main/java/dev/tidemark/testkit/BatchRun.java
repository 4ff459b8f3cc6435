package dev.tidemark.testkit;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a policy makes of a script's events if none of them is late. Sessions have no bound. */
public final class BatchRun {
  private BatchRun() {}

  /** A key and a window of it. */
  public record Row(EventKey key, Window window) {}

  /** Values by row, as {@link ReferenceValues} has them; those of quantiles exactly. */
  public static Map<Row, List<@Nullable Object>> of(Policy policy, List<Step> steps) {
    Map<Row, List<Event>> events = new HashMap<>();
    for (Step step : steps) {
      if (step instanceof Step.Arrive arrive) {
        for (Window window : windows(policy, arrive.event(), steps)) {
          events
              .computeIfAbsent(new Row(arrive.event().key(), window), row -> new ArrayList<>())
              .add(arrive.event());
        }
      }
    }
    Map<Row, List<@Nullable Object>> values = new HashMap<>();
    events.forEach((row, ofRow) -> values.put(row, values(policy, ofRow)));
    return values;
  }

  private static List<Window> windows(Policy policy, Event event, List<Step> steps) {
    return policy.windowing() instanceof Windowing.Sessions sessions
        ? List.of(session(sessions, event, steps))
        : ReferenceWindows.of(policy.windowing(), event.timestamp());
  }

  /** Walks from the event to either side while the next event is less than a gap away. */
  private static Window session(Windowing.Sessions sessions, Event event, List<Step> steps) {
    SortedSet<Instant> times = new TreeSet<>();
    for (Step step : steps) {
      if (step instanceof Step.Arrive arrive && arrive.event().key().equals(event.key())) {
        times.add(arrive.event().timestamp());
      }
    }
    Instant first = event.timestamp();
    for (Instant time : new TreeSet<>(times.headSet(first)).descendingSet()) {
      first = time.plus(sessions.gap()).isAfter(first) ? time : first;
    }
    Instant last = event.timestamp();
    for (Instant time : times.tailSet(last)) {
      last = last.plus(sessions.gap()).isAfter(time) ? time : last;
    }
    return new Window(first, last.plus(sessions.gap()));
  }

  private static List<@Nullable Object> values(Policy policy, List<Event> events) {
    List<@Nullable Object> values = new ArrayList<>(ReferenceValues.of(policy, events));
    int i = 0;
    for (Aggregate aggregate : policy.aggregates().values()) {
      if (aggregate instanceof Aggregate.Quantile quantile) {
        values.set(i, quantile(quantile.q(), i, events));
      }
      i++;
    }
    return values;
  }

  private static Object quantile(double q, int index, List<Event> events) {
    List<BigDecimal> sorted =
        events.stream()
            .map(event -> Objects.requireNonNull(event.values().get(index)))
            .map(scalar -> ((Scalar.Num) scalar).value())
            .sorted()
            .toList();
    int rank = Math.max(1, (int) Math.ceil(q * sorted.size()));
    return ReferenceValues.plain(new Scalar.Num(sorted.get(rank - 1)));
  }
}
