package dev.tidemark.pipelines.plan;

import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Trigger;
import dev.tidemark.transforms.aggregate.AccumulatorSize;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/** Roughly what a policy costs at the most: as if each key had events in each of its windows. */
final class Cost {
  private static final Duration DAY = Duration.standardDays(1);

  /**
   * What a key takes in each window besides its aggregates: the runner keeps several entries, on
   * what has fired, timers and holds, each with key and window. Measured on Flink with RocksDB, see
   * benchmarks/StateSize.
   */
  private static final int BYTES_A_WINDOW = 370;

  private final Policy policy;
  private final @Nullable WindowRate rate;
  private final long keys;
  private final @Nullable Double eventsPerSecond;

  /**
   * @param keys how many keys have events at a time
   * @param eventsPerSecond how many events come, over all keys; null if not known
   */
  Cost(Policy policy, long keys, @Nullable Double eventsPerSecond) {
    this.policy = policy;
    this.rate = WindowRate.of(policy.windowing());
    this.keys = keys;
    this.eventsPerSecond = eventsPerSecond;
  }

  /** What each figure is, by its name and in reading order. */
  Map<String, String> figures() {
    String ofKeys = keys == 1 ? ", 1 key" : ", %,d keys".formatted(keys);
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("windows per event", "%,d".formatted(windowsPerEvent()));
    figures.put("open windows per key", "%,d".formatted(openWindows()));
    figures.put("state" + ofKeys, state());
    figures.put("panes a day" + ofKeys, panes());
    return figures;
  }

  long windowsPerEvent() {
    return rate == null ? 1 : rate.windowsPerEvent();
  }

  /** How many windows of a key wait at a time for events in time, delayed or late. */
  long openWindows() {
    return rate == null
        ? 1
        : rate.starts(
            rate.size()
                .plus(policy.allowedLateness())
                .plus(policy.watermark().maxOutOfOrderness()));
  }

  private String state() {
    long once = BYTES_A_WINDOW;
    long perValue = 0;
    for (Aggregate aggregate : policy.aggregates().values()) {
      AccumulatorSize size = AccumulatorSize.of(aggregate);
      if (size.perValue()) {
        perValue += size.bytes();
      } else {
        once += size.bytes();
      }
    }
    double windows = (double) keys * openWindows();
    String text = "about " + bytes(once * windows);
    return perValue == 0
        ? text
        : text + ", and " + bytes(perValue * windows) + " for each different value of a window";
  }

  private String panes() {
    double ends = rate == null ? 0 : (double) keys * rate.starts(DAY);
    String late =
        rate != null && policy.allowedLateness().getMillis() > 0
            ? ", and those of late events"
            : "";
    if (policy.trigger().early() instanceof Trigger.Count count && eventsPerSecond == null) {
      return "%,.0f, and one for each %,d events of a window%s"
          .formatted(ends, count.count(), late);
    }
    return "%,.0f%s".formatted(Math.min(ends + early(), mostPanes()), late);
  }

  private double early() {
    if (policy.trigger().early() instanceof Trigger.Every every) {
      double ofOneWindow = DAY.getMillis() / (double) every.every().getMillis();
      return keys * ofOneWindow * windowsPerEvent();
    }
    return policy.trigger().early() instanceof Trigger.Count count
        ? mostPanes() / count.count()
        : 0;
  }

  /** No pane without a new event. */
  private double mostPanes() {
    return eventsPerSecond == null
        ? Double.MAX_VALUE
        : eventsPerSecond * DAY.getStandardSeconds() * windowsPerEvent();
  }

  private static String bytes(double bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }
}
