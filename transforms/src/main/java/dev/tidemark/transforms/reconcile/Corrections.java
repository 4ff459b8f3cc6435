package dev.tidemark.transforms.reconcile;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import dev.tidemark.transforms.windowing.SessionMerge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The corrections of one scope: a key and window, or all sessions of a key. A pure function of what
 * has fired and what came too late, save for the time of computation: earlier corrections only say
 * what need not be written again and what is replaced.
 */
final class Corrections {
  private final Policy policy;
  private final EventKey key;
  private final Collection<ResultLine> trail;
  private final Instant now;

  private Corrections(Policy policy, EventKey key, Collection<ResultLine> trail, Instant now) {
    this.policy = policy;
    this.key = key;
    this.trail = trail;
    this.now = now;
  }

  /**
   * For each window that missed events and has not been corrected for them yet, the retractions
   * that this takes, followed by the correction.
   *
   * @param trail all results of the scope, each however often
   * @param tooLate all events that came too late for the scope, each however often
   * @throws UnusableTrailException if these do not tell what a correction should say
   */
  static List<List<WindowResult>> of(
      Policy policy,
      EventKey key,
      Collection<ResultLine> trail,
      Iterable<TooLateEvent> tooLate,
      Instant now) {
    return new Corrections(policy, key, trail, now).correct(distinct(tooLate));
  }

  private List<List<WindowResult>> correct(Map<ResultWindow, List<TooLateEvent>> missed) {
    List<ResultLine> standing = flat(StandingResults.of(trail));
    Set<String> right = new HashSet<>();
    List<WholeWindow> wrong = new ArrayList<>();
    for (WholeWindow whole : wholes(missed)) {
      if (whole.isStatedBy(standing)) {
        whole.fired().forEach(line -> right.add(line.resultId()));
      } else {
        right.add(resultId(whole));
        wrong.add(whole);
      }
    }
    List<ResultLine> stale =
        standing.stream().filter(line -> !right.contains(line.resultId())).toList();
    if (!(policy.windowing() instanceof Windowing.Sessions)) {
      wrong.forEach(this::refuseShrunkLane);
    }
    Set<String> stated = trail.stream().map(ResultLine::resultId).collect(Collectors.toSet());
    return wrong.stream()
        .filter(whole -> !stated.contains(resultId(whole)))
        .map(whole -> state(whole, replacedBy(whole, wrong, stale)))
        .toList();
  }

  private static Map<ResultWindow, List<TooLateEvent>> distinct(Iterable<TooLateEvent> tooLate) {
    record Miss(Object event, ResultWindow window) {}
    Set<Miss> seen = new HashSet<>();
    Map<ResultWindow, List<TooLateEvent>> missed = new LinkedHashMap<>();
    for (TooLateEvent event : tooLate) {
      if (seen.add(new Miss(identity(event.event().raw()), event.window()))) {
        missed.computeIfAbsent(event.window(), window -> new ArrayList<>()).add(event);
      }
    }
    return missed;
  }

  /** Its place; where that is a step of Beam's, which many records have, the record as it came. */
  private static Object identity(RawRecord raw) {
    return raw.origin() instanceof Origin.Attempt ? raw : raw.origin();
  }

  private List<WholeWindow> wholes(Map<ResultWindow, List<TooLateEvent>> missed) {
    Map<@Nullable ResultWindow, List<ResultLine>> fired =
        StandingResults.of(trail.stream().filter(Corrections::isFiring).toList());
    Set<ResultWindow> windows = new HashSet<>(missed.keySet());
    if (!(policy.windowing() instanceof Windowing.Sessions sessions)) {
      return windows.stream().map(window -> whole(window, List.of(window), fired, missed)).toList();
    }
    fired.keySet().forEach(window -> windows.add(Objects.requireNonNull(window)));
    List<IntervalWindow> intervals =
        windows.stream().map(window -> new IntervalWindow(window.start(), window.end())).toList();
    return SessionMerge.of(intervals, sessions.maxDuration()).stream()
        .map(
            merge ->
                whole(
                    ResultWindow.of(merge.session()),
                    merge.parts().stream().map(ResultWindow::of).toList(),
                    fired,
                    missed))
        .toList();
  }

  private static WholeWindow whole(
      ResultWindow window,
      List<ResultWindow> parts,
      Map<@Nullable ResultWindow, List<ResultLine>> fired,
      Map<ResultWindow, List<TooLateEvent>> missed) {
    return new WholeWindow(
        window,
        parts,
        parts.stream().filter(fired::containsKey).count() > 1,
        parts.stream().flatMap(part -> fired.getOrDefault(part, List.of()).stream()).toList(),
        parts.stream().flatMap(part -> missed.getOrDefault(part, List.of()).stream()).toList());
  }

  private static boolean isFiring(ResultLine line) {
    return line.result().kind() != ResultKind.RETRACTION
        && line.result().kind() != ResultKind.CORRECTION;
  }

  private static List<ResultLine> flat(Map<@Nullable ResultWindow, List<ResultLine>> byWindow) {
    return byWindow.values().stream().flatMap(List::stream).toList();
  }

  private String resultId(WholeWindow whole) {
    return ResultJson.resultId(
        policy, key, whole.window(), ResultKind.CORRECTION, whole.firingSequence());
  }

  /** Sessions are left out: with a bound, more events may leave a session fewer of them. */
  private void refuseShrunkLane(WholeWindow whole) {
    for (ResultLine line : trail) {
      WindowResult result = line.result();
      if (result.kind() == ResultKind.CORRECTION
          && result.firingSequence() > whole.firingSequence()) {
        throw new UnusableTrailException(
            "correction "
                + line.resultId()
                + " counts more events than the results and the too-late lane hold; reconcile with"
                + " all files of both");
      }
    }
  }

  /** The stale results that this whole is to replace: each falls to one of the wholes. */
  private static List<ResultLine> replacedBy(
      WholeWindow whole, List<WholeWindow> wrong, List<ResultLine> stale) {
    return stale.stream()
        .filter(line -> whole.equals(successor(line.result().window(), wrong).orElse(null)))
        .toList();
  }

  private static Optional<WholeWindow> successor(
      @Nullable ResultWindow window, List<WholeWindow> wholes) {
    return Stream.<Predicate<WholeWindow>>of(
            whole -> whole.parts().contains(window),
            whole -> window != null && whole.window().intersects(window))
        .flatMap(isSuccessor -> wholes.stream().filter(isSuccessor))
        .findFirst();
  }

  private List<WindowResult> state(WholeWindow whole, List<ResultLine> replaced) {
    boolean retracting = policy.accumulation() == Accumulation.RETRACTING;
    WindowResult correction =
        correction(whole, replaced, retracting ? List.of() : superseded(whole, replaced));
    List<WindowResult> results = new ArrayList<>();
    if (retracting) {
      replaced.forEach(line -> results.add(line.result().retractedBy(correction)));
    }
    results.add(correction);
    return results;
  }

  private static List<ResultWindow> superseded(WholeWindow whole, List<ResultLine> replaced) {
    return replaced.stream()
        .map(line -> line.result().window())
        .filter(window -> !whole.window().equals(window))
        .distinct()
        .sorted()
        .toList();
  }

  private WindowResult correction(
      WholeWindow whole, List<ResultLine> replaced, List<ResultWindow> superseded) {
    Accumulators accumulators = whole.accumulators(policy);
    AccumulatorsCoder coder = AccumulatorsCoder.of(policy.aggregateList());
    return new WindowResult(
        key,
        whole.window(),
        ResultKind.CORRECTION,
        whole.firingSequence(),
        false,
        whole.watermark(policy),
        now,
        accumulators.values(),
        superseded,
        coder.toBase64(accumulators),
        Stream.concat(whole.fired().stream(), replaced.stream())
            .map(ResultLine::resultId)
            .distinct()
            .toList());
  }
}
