package dev.tidemark.transforms.reconcile;

import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What stands of one key's results, whatever the order of their lines and however often each comes.
 *
 * <ul>
 *   <li>A result is void if a {@code RETRACTION} has its window and firing sequence, or if a {@code
 *       CORRECTION} corrects it.
 *   <li>A session inside another of the same key is part of that one: it is how sessions merge.
 *   <li>Of a window, the highest firing sequence stands, of two equal ones the correction. Where
 *       panes add up, all of them stand, and one correction with them.
 * </ul>
 */
public final class StandingResults {
  private static final Comparator<ResultLine> BY_FIRING =
      Comparator.comparingLong((ResultLine line) -> line.result().firingSequence())
          .thenComparing(StandingResults::isCorrection)
          .thenComparing(ResultLine::text);

  private StandingResults() {}

  /** A window and one of its firings. */
  private record Firing(@Nullable ResultWindow window, long sequence) {
    static Firing of(ResultLine line) {
      return new Firing(line.result().window(), line.result().firingSequence());
    }
  }

  /**
   * The lines that stand, by window; in a window, by firing. A window without a standing result is
   * left out.
   *
   * @param lines of one metric, policy version and key
   */
  public static Map<@Nullable ResultWindow, List<ResultLine>> of(Collection<ResultLine> lines) {
    List<ResultLine> valid = withoutVoid(lines);
    Map<@Nullable ResultWindow, @Nullable ResultWindow> outermost = outermost(valid);
    Map<@Nullable ResultWindow, List<ResultLine>> byWindow = new LinkedHashMap<>();
    for (ResultLine line : valid) {
      ResultWindow window = outermost.get(line.result().window());
      byWindow.computeIfAbsent(window, w -> new ArrayList<>()).add(line);
    }
    byWindow.replaceAll(StandingResults::standing);
    return byWindow;
  }

  private static List<ResultLine> withoutVoid(Collection<ResultLine> lines) {
    Map<String, ResultLine> distinct = new LinkedHashMap<>();
    Set<String> corrected = new HashSet<>();
    Set<Firing> retracted = new HashSet<>();
    for (ResultLine line : lines) {
      distinct.merge(
          line.resultId(), line, BinaryOperator.minBy(Comparator.comparing(ResultLine::text)));
      corrected.addAll(line.result().corrects());
      if (isRetraction(line)) {
        retracted.add(Firing.of(line));
      }
    }
    return distinct.values().stream()
        .filter(line -> !isRetraction(line) && !corrected.contains(line.resultId()))
        .filter(line -> !retracted.contains(Firing.of(line)))
        .toList();
  }

  /** For each window, itself, or the session that it lies inside. */
  private static Map<@Nullable ResultWindow, @Nullable ResultWindow> outermost(
      List<ResultLine> lines) {
    Map<@Nullable ResultWindow, @Nullable ResultWindow> outermost = new HashMap<>();
    List<ResultWindow> sessions = new ArrayList<>();
    for (ResultLine line : lines) {
      ResultWindow window = line.result().window();
      if (outermost.put(window, window) == null
          && window != null
          && line.windowType() == WindowType.SESSIONS) {
        sessions.add(window);
      }
    }
    // By start, and the longest first: what covers a session comes before it.
    sessions.sort(
        Comparator.comparing(ResultWindow::start)
            .thenComparing(ResultWindow::end, Comparator.reverseOrder()));
    ResultWindow outer = null;
    for (ResultWindow session : sessions) {
      outer = outer != null && outer.covers(session) ? outer : session;
      outermost.put(session, outer);
    }
    return outermost;
  }

  private static List<ResultLine> standing(
      @Nullable ResultWindow window, List<ResultLine> candidates) {
    Comparator<ResultLine> order =
        Comparator.comparing((ResultLine line) -> isOf(window, line)).thenComparing(BY_FIRING);
    candidates.sort(order);
    ResultLine highest = candidates.get(candidates.size() - 1);
    if (!highest.discarding()) {
      return List.of(highest);
    }
    ResultLine correction =
        candidates.stream().filter(StandingResults::isCorrection).max(order).orElse(null);
    return candidates.stream()
        .filter(line -> !isCorrection(line) || line.equals(correction))
        .toList();
  }

  private static boolean isOf(@Nullable ResultWindow window, ResultLine line) {
    return window == null || window.equals(line.result().window());
  }

  private static boolean isRetraction(ResultLine line) {
    return line.result().kind() == ResultKind.RETRACTION;
  }

  private static boolean isCorrection(ResultLine line) {
    return line.result().kind() == ResultKind.CORRECTION;
  }
}
