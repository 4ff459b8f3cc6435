package dev.tidemark.benchmarks.plain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** By url and minute; the windows are added up at the end. */
final class SlidingTally implements Tally<SlidingTally> {
  private static final long SIZE = Job.SLIDING.toMillis();
  private static final long EVERY = Job.EVERY.toMillis();

  private final Map<String, NavigableMap<Long, Long>> urls = new HashMap<>();

  @Override
  public void add(Click click) {
    urls.computeIfAbsent(click.url(), unused -> new TreeMap<>())
        .merge(click.time() - click.time() % EVERY, 1L, Long::sum);
  }

  @Override
  public void merge(SlidingTally other) {
    other.urls.forEach(
        (url, minutes) -> {
          Map<Long, Long> own = urls.computeIfAbsent(url, unused -> new TreeMap<>());
          minutes.forEach((minute, count) -> own.merge(minute, count, Long::sum));
        });
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    urls.forEach((url, minutes) -> addLines(url, minutes, lines));
    return lines;
  }

  private static void addLines(String url, NavigableMap<Long, Long> minutes, List<String> lines) {
    long last = minutes.lastKey();
    long count = 0;
    for (long start = minutes.firstKey() - SIZE + EVERY; start <= last; start += EVERY) {
      count += minutes.getOrDefault(start + SIZE - EVERY, 0L);
      if (count > 0) {
        lines.add(url + "," + start + "," + (start + SIZE) + "," + count);
      }
      count -= minutes.getOrDefault(start, 0L);
    }
  }
}
