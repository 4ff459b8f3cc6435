package dev.tidemark.benchmarks.plain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** By window and url. */
final class FixedTally<V extends FixedTally.Value<V>> implements Tally<FixedTally<V>> {
  private final Map<Long, Map<String, V>> windows = new HashMap<>();
  private final long size;
  private final Supplier<V> empty;

  FixedTally(Job job, Supplier<V> empty) {
    this.size = job.fixed().toMillis();
    this.empty = empty;
  }

  /** What a url has in a window. */
  interface Value<V extends Value<V>> {
    void add(Click click);

    void merge(V other);

    /** As the answer has it. */
    @Override
    String toString();
  }

  @Override
  public void add(Click click) {
    windows
        .computeIfAbsent(click.time() - click.time() % size, unused -> new HashMap<>())
        .computeIfAbsent(click.url(), unused -> empty.get())
        .add(click);
  }

  @Override
  public void merge(FixedTally<V> other) {
    other.windows.forEach(
        (start, urls) -> {
          Map<String, V> own = windows.computeIfAbsent(start, unused -> new HashMap<>());
          urls.forEach(
              (url, value) -> own.computeIfAbsent(url, unused -> empty.get()).merge(value));
        });
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    windows.forEach(
        (start, urls) ->
            urls.forEach(
                (url, value) -> lines.add(url + "," + start + "," + (start + size) + "," + value)));
    return lines;
  }
}
