package dev.tidemark.benchmarks.plain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The times of each user's clicks; sorted at the end, when the gaps show. */
final class SessionTally implements Tally<SessionTally> {
  private static final long GAP = Job.GAP.toMillis();

  private final Map<String, Times> users = new HashMap<>();

  @Override
  public void add(Click click) {
    users.computeIfAbsent(click.user(), unused -> new Times()).add(click.time());
  }

  @Override
  public void merge(SessionTally other) {
    other.users.forEach(
        (user, times) -> users.computeIfAbsent(user, unused -> new Times()).addAll(times));
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    users.forEach((user, times) -> addLines(user, times.sorted(), lines));
    return lines;
  }

  private static void addLines(String user, long[] times, List<String> lines) {
    int first = 0;
    for (int i = 0; i < times.length; i++) {
      if (i == times.length - 1 || times[i + 1] >= times[i] + GAP) {
        lines.add(user + "," + times[first] + "," + (times[i] + GAP) + "," + (i + 1 - first));
        first = i + 1;
      }
    }
  }

  /** A list of longs. */
  private static final class Times {
    private long[] times = new long[16];
    private int size;

    void add(long time) {
      if (size == times.length) {
        times = Arrays.copyOf(times, 2 * size);
      }
      times[size++] = time;
    }

    void addAll(Times other) {
      for (int i = 0; i < other.size; i++) {
        add(other.times[i]);
      }
    }

    long[] sorted() {
      Arrays.sort(times, 0, size);
      return Arrays.copyOf(times, size);
    }
  }
}
