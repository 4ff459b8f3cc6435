package dev.tidemark.transforms;

import dev.tidemark.policy.Aggregate;
import dev.tidemark.transforms.aggregate.Accumulators;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a key has in each slice, to be merged into what it has in each window. A window takes some
 * three merges, however many slices it has: those that windows leave next are kept merged from each
 * of them on, and those that came after as one (Two-Stacks; Tangwongsan, Hirzel and Schneider,
 * "Low-latency sliding-window aggregation in worst-case constant time", 2017).
 */
final class KeySlices {
  private final List<Aggregate> aggregates;
  private final List<Part> parts = new ArrayList<>();

  private record Part(List<? extends BoundedWindow> windows, Accumulators values) {
    /** Windows end in the order that they start in. */
    boolean isIn(BoundedWindow window) {
      return !windows.get(0).maxTimestamp().isAfter(window.maxTimestamp());
    }
  }

  KeySlices(List<Aggregate> aggregates) {
    this.aggregates = aggregates;
  }

  /**
   * Adds a slice that comes after those before.
   *
   * @param windows its own, in the order that they start in
   */
  void add(List<? extends BoundedWindow> windows, Accumulators values) {
    parts.add(new Part(windows, values));
  }

  /** Gives each window once, with values that are not to be changed. */
  void forEachWindow(BiConsumer<BoundedWindow, Accumulators> out) {
    Stacks stacks = new Stacks();
    Instant given = BoundedWindow.TIMESTAMP_MIN_VALUE;
    for (int first = 0; first < parts.size(); first++) {
      for (BoundedWindow window : parts.get(first).windows) {
        if (window.maxTimestamp().isAfter(given)) {
          given = window.maxTimestamp();
          out.accept(window, stacks.merged(first, window));
        }
      }
    }
  }

  /** The parts of one window after another. */
  private final class Stacks {
    /** Of each part before the middle, it and those after it up to the middle. */
    private final Accumulators[] older = new Accumulators[parts.size()];

    private int middle;
    private @Nullable Accumulators newer;
    private int end;

    /** Of a window's parts, the first of which is given. */
    Accumulators merged(int first, BoundedWindow window) {
      int before = end;
      while (end < parts.size() && parts.get(end).isIn(window)) {
        end++;
      }
      if (first >= middle) {
        stack(first);
      } else {
        append(before);
      }
      return newer == null ? older[first] : both(older[first], newer);
    }

    private void stack(int first) {
      middle = end;
      newer = null;
      older[end - 1] = parts.get(end - 1).values;
      for (int i = end - 2; i >= first; i--) {
        older[i] = both(parts.get(i).values, older[i + 1]);
      }
    }

    private void append(int before) {
      for (int i = before; i < end; i++) {
        if (newer == null) {
          newer = Accumulators.empty(aggregates);
        }
        newer.merge(parts.get(i).values);
      }
    }

    private Accumulators both(Accumulators one, Accumulators other) {
      Accumulators both = Accumulators.empty(aggregates);
      both.merge(one);
      both.merge(other);
      return both;
    }
  }
}
