package dev.tidemark.transforms;

import java.io.Serializable;
import java.util.EnumMap;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;

/** Counts firings: {@code panes}, and of each kind {@code panes.EARLY} and so on. */
final class PaneCounters implements Serializable {
  private static final String METRICS = "tidemark";

  private final Counter panes = Metrics.counter(METRICS, "panes");
  private final EnumMap<ResultKind, Counter> byKind = new EnumMap<>(ResultKind.class);

  PaneCounters() {
    for (ResultKind kind : ResultKind.values()) {
      byKind.put(kind, Metrics.counter(METRICS, "panes." + kind));
    }
  }

  /** To be called for each firing, and not for what retracts it. */
  void count(WindowResult firing) {
    panes.inc();
    byKind.get(firing.kind()).inc();
  }
}
