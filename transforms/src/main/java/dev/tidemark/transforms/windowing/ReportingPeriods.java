package dev.tidemark.transforms.windowing;

import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.Windowing;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PartitioningWindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The periods of a reporting calendar as windows. An event outside every period must not come here:
 * the parser makes it a dead letter.
 */
public final class ReportingPeriods extends PartitioningWindowFn<Object, IntervalWindow> {
  private final TreeMap<Instant, ReportingPeriod> byStart = new TreeMap<>();

  private ReportingPeriods(Windowing.ReportingCalendar calendar) {
    for (ReportingPeriod period : calendar.periods()) {
      byStart.put(period.start(), period);
    }
  }

  public static ReportingPeriods of(Windowing.ReportingCalendar calendar) {
    return new ReportingPeriods(calendar);
  }

  @Override
  public IntervalWindow assignWindow(Instant timestamp) {
    Map.Entry<Instant, ReportingPeriod> entry = byStart.floorEntry(timestamp);
    if (entry == null || !timestamp.isBefore(entry.getValue().end())) {
      throw new IllegalArgumentException(timestamp + " lies in no period of the calendar");
    }
    return new IntervalWindow(entry.getValue().start(), entry.getValue().end());
  }

  @Override
  public Coder<IntervalWindow> windowCoder() {
    return IntervalWindow.getCoder();
  }

  @Override
  @SuppressWarnings("deprecation") // WindowFn still asks for it
  public boolean isCompatible(WindowFn<?, ?> other) {
    return equals(other);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReportingPeriods that && byStart.equals(that.byStart);
  }

  @Override
  public int hashCode() {
    return byStart.hashCode();
  }
}
