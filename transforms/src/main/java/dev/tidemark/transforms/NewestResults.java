package dev.tidemark.transforms;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells which of one key's results is the newest of its window, whatever order they come in and
 * however often: for sinks that keep one value for each key and window.
 *
 * <ul>
 *   <li>A firing replaces those of its window that have a lower sequence.
 *   <li>A retraction takes back the firing of its sequence and, since firings replace each other,
 *       those before it. If nothing replaces it, the window has no value any more.
 *   <li>A session takes the place of the sessions inside it, and of those that it supersedes.
 * </ul>
 *
 * <p>In discarding mode the newest value is that of the last pane alone.
 */
public final class NewestResults {
  private final Map<@Nullable ResultWindow, Long> ranks;

  /**
   * Goes on from what had come before.
   *
   * @param ranks what {@link #ranks} gave; empty at first. Not changed
   */
  public NewestResults(Map<@Nullable ResultWindow, Long> ranks) {
    this.ranks = new HashMap<>(ranks);
  }

  /**
   * Takes in one more result.
   *
   * @return the windows whose value changes, each with its new result; null where it has none now
   */
  public Map<@Nullable ResultWindow, @Nullable WindowResult> take(WindowResult result) {
    Map<@Nullable ResultWindow, @Nullable WindowResult> changes = new LinkedHashMap<>();
    ResultWindow window = result.window();
    if (ranks.keySet().stream().anyMatch(other -> replaces(other, window))) {
      changes.put(window, null); // said again: what had been sent may have been forgotten
      return changes;
    }
    for (ResultWindow inside : inside(result)) {
      ranks.remove(inside);
      changes.put(inside, null);
    }
    if (rank(result) > ranks.getOrDefault(window, -1L)) {
      ranks.put(window, rank(result));
      changes.put(window, result.kind() == ResultKind.RETRACTION ? null : result);
    }
    return changes;
  }

  /** What has to be remembered: of each window, the rank of the newest result. */
  public Map<@Nullable ResultWindow, Long> ranks() {
    return Collections.unmodifiableMap(ranks);
  }

  private Set<ResultWindow> inside(WindowResult result) {
    Set<ResultWindow> inside =
        ranks.keySet().stream()
            .filter(other -> replaces(result.window(), other))
            .collect(Collectors.toSet());
    inside.addAll(result.supersedes());
    return inside;
  }

  private static boolean replaces(@Nullable ResultWindow outer, @Nullable ResultWindow inner) {
    return outer != null && inner != null && !outer.equals(inner) && outer.covers(inner);
  }

  /**
   * Of two results of a window, the newer has the higher rank. For a sink that itself keeps the
   * highest of a number for each key and window.
   */
  public static long rank(WindowResult result) {
    return 2 * result.firingSequence() + (result.kind() == ResultKind.RETRACTION ? 1 : 0);
  }
}
