package dev.tidemark.testkit;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceWindows.Merge;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a policy means, in memory and without Beam: the yardstick that the real pipeline is compared
 * with. Each event is a bundle of its own, worked through before the next step; no processing time
 * passes, so that a cadence of {@code every} never fires by itself. After the last step the
 * watermark goes to infinity.
 *
 * <p>Where Beam's meaning is not obvious, this is what its {@code ReduceFnRunner} and trigger state
 * machines do, and what the model therefore does:
 *
 * <ul>
 *   <li>A window's end fires even if nothing came since the last early pane. Its closing, at the
 *       end of its lateness, fires only what has not been fired. A watermark that leaps over both
 *       causes one pane.
 *   <li>The end fires at once, whatever the late cadence, if a window's first event is late.
 *   <li>Merged sessions make a new window, with panes counted from 1. An event inside a session
 *       that leaves its interval as it was changes nothing else about the session.
 *   <li>The new session counts towards its cadence what its parts had counted. But a merge that
 *       takes in a session past its end, and is itself not past its end, starts the count at 0.
 *   <li>If all parts are past their end, and so is the new session, the late cadence goes on: its
 *       first pane, FINAL, waits for as many late events as that needs.
 *   <li>In discarding mode the parts' un-fired events come together; what they fired is gone.
 *   <li>A closed session is forgotten: a later event that overlaps it starts a session afresh.
 * </ul>
 */
public final class ReferenceModel {
  static final Instant END_OF_TIME = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final Policy policy;
  private final Duration margin;
  private final Map<KeyedWindow, State> open = new LinkedHashMap<>();
  private final List<Result> results = new ArrayList<>();
  private final List<Missed> tooLate = new ArrayList<>();
  private Instant watermark = Instant.ofEpochMilli(Long.MIN_VALUE);
  private long events;
  private long counted;
  private long dropped;

  private ReferenceModel(Policy policy, Duration margin) {
    this.policy = policy;
    this.margin = margin;
  }

  /** What kind of statement a result makes about its window. */
  public enum Kind {
    EARLY,
    FINAL,
    LATE_UPDATE,
    RETRACTION
  }

  /** A key and a window of it. */
  public record KeyedWindow(EventKey key, Window window) {}

  /**
   * One firing, or the retraction of one.
   *
   * @param firingSequence counts the firings of the key and window from 1; of a retraction, the
   *     firing that it takes back
   * @param value as {@link ReferenceValues} has it
   * @param supersedes the fired sessions that this result's session replaced, by end; empty in
   *     retracting mode, which retracts them instead
   */
  public record Result(
      EventKey key,
      Window window,
      Kind kind,
      long firingSequence,
      List<@Nullable Object> value,
      List<Window> supersedes) {}

  /** An event and a window that it came too late for. */
  public record Missed(Event event, Window window) {}

  /**
   * All that came of a script. The pairs of event and window are {@code counted + dropped +
   * tooLate.size()}.
   *
   * @param results in the order of firing; of one watermark move, by window and key
   * @param tooLate the too-late lane, in arrival order
   * @param events how many events came
   * @param counted how many pairs of event and window were counted
   * @param dropped how many were too late and dropped
   */
  public record Outcome(
      List<Result> results, List<Missed> tooLate, long events, long counted, long dropped) {}

  /**
   * Plays a script.
   *
   * @param margin how long after the allowed lateness the pipeline keeps a window. It shows in when
   *     un-fired late events come out, and in whether a session is still there to be merged.
   */
  public static Outcome run(Policy policy, List<Step> steps, Duration margin) {
    ReferenceModel model = new ReferenceModel(policy, margin);
    for (Step step : steps) {
      if (step instanceof Step.Arrive arrive) {
        model.arrive(arrive.event());
      } else if (step instanceof Step.Advance advance) {
        model.advance(advance.watermark());
      }
    }
    model.advance(END_OF_TIME);
    return new Outcome(
        List.copyOf(model.results),
        List.copyOf(model.tooLate),
        model.events,
        model.counted,
        model.dropped);
  }

  /**
   * What a sink holds that keeps the latest value of each key and window, and forgets what is
   * retracted or superseded. In discarding mode that is only the last pane.
   */
  public static Map<KeyedWindow, List<@Nullable Object>> latestView(List<Result> results) {
    Map<KeyedWindow, List<@Nullable Object>> view = new LinkedHashMap<>();
    for (Result result : results) {
      result.supersedes().forEach(old -> view.remove(new KeyedWindow(result.key(), old)));
      KeyedWindow window = new KeyedWindow(result.key(), result.window());
      if (result.kind() == Kind.RETRACTION) {
        view.remove(window);
      } else {
        view.put(window, result.value());
      }
    }
    return view;
  }

  private void arrive(Event event) {
    events++;
    for (Window window : ReferenceWindows.of(policy.windowing(), event.timestamp())) {
      if (!window.endedBy(watermark, policy.allowedLateness())) {
        count(event, window);
      } else if (policy.tooLate() == TooLate.DROP_AND_COUNT) {
        dropped++;
      } else {
        tooLate.add(new Missed(event, window));
      }
    }
  }

  private void count(Event event, Window window) {
    counted++;
    State state = stateFor(event.key(), window);
    state.all.add(event);
    state.pending.add(event);
    state.sinceLastPane++;
    fireIfDue(state);
  }

  private void advance(Instant to) {
    if (!to.isAfter(watermark)) {
      return;
    }
    watermark = to;
    List<State> byWindow =
        open.values().stream()
            .sorted(Comparator.<State, Window>comparing(s -> s.window).thenComparing(s -> s.key))
            .toList();
    for (State state : byWindow) {
      fireIfDue(state);
      closeIfOver(state);
    }
  }

  private void fireIfDue(State state) {
    boolean ended = state.window.endedBy(watermark, Duration.ZERO);
    if (!state.endFired && ended) {
      state.endFired = true;
      fire(state);
    } else if (state.endFired
        ? reached(policy.trigger().late(), state)
        : reached(policy.trigger().early(), state)) {
      fire(state);
    }
  }

  private static boolean reached(Trigger.@Nullable Cadence cadence, State state) {
    return cadence instanceof Trigger.Count count && state.sinceLastPane >= count.count();
  }

  private void closeIfOver(State state) {
    if (state.window.endedBy(watermark, policy.allowedLateness().plus(margin))) {
      if (!state.pending.isEmpty()) {
        fire(state);
      }
      open.remove(new KeyedWindow(state.key, state.window));
    }
  }

  private void fire(State state) {
    boolean retracting = policy.accumulation() == Accumulation.RETRACTING;
    if (retracting) {
      state.replaced.forEach(this::retract);
      if (state.last != null) {
        retract(state.last);
      }
    }
    boolean discarding = policy.accumulation() == Accumulation.DISCARDING;
    state.last =
        new Result(
            state.key,
            state.window,
            kindOfNext(state),
            state.last == null ? 1 : state.last.firingSequence() + 1,
            ReferenceValues.of(policy, discarding ? state.pending : state.all),
            retracting ? List.of() : state.replaced.stream().map(Result::window).toList());
    results.add(state.last);
    state.pending.clear();
    state.replaced.clear();
    state.sinceLastPane = 0;
  }

  private Kind kindOfNext(State state) {
    if (!state.window.endedBy(watermark, Duration.ZERO)) {
      return Kind.EARLY;
    }
    return state.last == null || state.last.kind() == Kind.EARLY ? Kind.FINAL : Kind.LATE_UPDATE;
  }

  private void retract(Result result) {
    results.add(
        new Result(
            result.key(),
            result.window(),
            Kind.RETRACTION,
            result.firingSequence(),
            result.value(),
            List.of()));
  }

  /** The state of the window; of a session, after merging it with the key's other sessions. */
  private State stateFor(EventKey key, Window window) {
    if (!(policy.windowing() instanceof Windowing.Sessions sessions)) {
      return open.computeIfAbsent(new KeyedWindow(key, window), State::new);
    }
    Set<Window> windows = new TreeSet<>(Set.of(window));
    open.values().stream().filter(s -> s.key.equals(key)).forEach(s -> windows.add(s.window));
    Merge merge =
        ReferenceWindows.merge(sessions, windows).stream()
            .filter(candidate -> candidate.parts().contains(window))
            .findFirst()
            .orElseThrow();
    KeyedWindow merged = new KeyedWindow(key, merge.result());
    if (!open.containsKey(merged)) {
      open.put(merged, merged(merged, removeParts(key, merge)));
    }
    return open.get(merged);
  }

  private List<State> removeParts(EventKey key, Merge merge) {
    List<State> parts = new ArrayList<>();
    for (Window part : merge.parts()) {
      State state = open.remove(new KeyedWindow(key, part));
      if (state != null) {
        parts.add(state);
      }
    }
    return parts;
  }

  private State merged(KeyedWindow window, List<State> parts) {
    State merged = new State(window);
    for (State part : parts) {
      merged.all.addAll(part.all);
      merged.pending.addAll(part.pending);
      merged.replaced.addAll(part.replaced);
      if (part.last != null) {
        merged.replaced.add(part.last);
      }
      merged.sinceLastPane += part.sinceLastPane;
    }
    merged.replaced.sort(Comparator.comparing(Result::window));
    boolean anyEnded = parts.stream().anyMatch(part -> part.endFired);
    boolean allEnded = anyEnded && parts.stream().allMatch(part -> part.endFired);
    merged.endFired = allEnded && merged.window.endedBy(watermark, Duration.ZERO);
    if (anyEnded && !merged.endFired) {
      merged.sinceLastPane = 0;
    }
    return merged;
  }

  /** What is known of one key and window that is still open. */
  private static final class State {
    final EventKey key;
    final Window window;
    final List<Event> all = new ArrayList<>();

    /** Those that no pane has had yet. */
    final List<Event> pending = new ArrayList<>();

    /** The last firings of the sessions that this one replaced, until it fires itself. */
    final List<Result> replaced = new ArrayList<>();

    @Nullable Result last;

    /** How far the cadence has counted. */
    int sinceLastPane;

    /** Whether the end has had its pane, so that the late cadence is in force. */
    boolean endFired;

    State(KeyedWindow window) {
      this.key = window.key();
      this.window = window.window();
    }
  }
}
