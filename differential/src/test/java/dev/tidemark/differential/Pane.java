package dev.tidemark.differential;

import dev.tidemark.event.Event;
import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.ReferenceModel.KeyedWindow;
import dev.tidemark.testkit.ReferenceModel.Missed;
import dev.tidemark.testkit.ReferenceValues;
import dev.tidemark.testkit.ReferenceWindows;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A firing of another engine, with what was in the window rather than a value, so that it also
 * shows which events were counted where.
 *
 * @param events of one key; at least one
 */
record Pane(Window window, List<Event> events) {

  private KeyedWindow keyedWindow() {
    return new KeyedWindow(events.get(0).key(), window);
  }

  /** The panes as firings with the values of the policy, numbered in the order of the list. */
  static List<Firing> firings(Policy policy, List<Pane> panes) {
    Map<KeyedWindow, Long> sequences = new HashMap<>();
    List<Firing> firings = new ArrayList<>();
    for (Pane pane : panes) {
      long sequence = sequences.merge(pane.keyedWindow(), 1L, Long::sum);
      firings.add(
          new Firing(pane.keyedWindow(), sequence, ReferenceValues.of(policy, pane.events())));
    }
    return firings;
  }

  /** Each event with each window of its that no pane counted it in, in the order of the events. */
  static List<Missed> missed(Policy policy, List<Event> events, List<Pane> panes) {
    Set<Missed> counted = new HashSet<>();
    panes.forEach(pane -> pane.events.forEach(e -> counted.add(new Missed(e, pane.window))));
    return events.stream()
        .flatMap(
            event ->
                ReferenceWindows.of(policy.windowing(), event.timestamp()).stream()
                    .map(window -> new Missed(event, window)))
        .filter(pair -> !counted.contains(pair))
        .toList();
  }
}
