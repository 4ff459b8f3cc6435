package dev.tidemark.differential;

import dev.tidemark.testkit.ReferenceModel.KeyedWindow;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A value that an engine gave for a key and window.
 *
 * @param sequence counts the firings of the key and window from 1
 * @param value as {@code ReferenceValues} has it
 */
record Firing(KeyedWindow window, long sequence, List<@Nullable Object> value) {

  /** The last value of each key and window. */
  static Map<KeyedWindow, List<@Nullable Object>> last(List<Firing> firings) {
    Map<KeyedWindow, Firing> last =
        firings.stream()
            .collect(
                Collectors.toMap(
                    Firing::window,
                    firing -> firing,
                    BinaryOperator.maxBy(Comparator.comparing(Firing::sequence))));
    return last.values().stream().collect(Collectors.toMap(Firing::window, Firing::value));
  }
}
