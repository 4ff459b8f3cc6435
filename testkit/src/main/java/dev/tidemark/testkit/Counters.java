package dev.tidemark.testkit;

import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;

/** The counters of a pipeline that has run: those of Tidemark, and Beam's own. */
public final class Counters {
  private static final String TIDEMARK = "tidemark";

  private final List<MetricResult<Long>> counters;

  private Counters(List<MetricResult<Long>> counters) {
    this.counters = counters;
  }

  /** The counters of a finished run. */
  public static Counters of(PipelineResult result) {
    return new Counters(
        StreamSupport.stream(
                result
                    .metrics()
                    .queryMetrics(MetricsFilter.builder().build())
                    .getCounters()
                    .spliterator(),
                false)
            .toList());
  }

  /** What Tidemark counted under this name, over all steps; 0 if nothing. */
  public long get(String name) {
    return counters.stream()
        .filter(counter -> counter.getName().getNamespace().equals(TIDEMARK))
        .filter(counter -> counter.getName().getName().equals(name))
        .mapToLong(MetricResult::getAttempted)
        .sum();
  }

  /**
   * What Beam dropped on its own, for whatever reason. By a part of the name, since each place has
   * a name of its own: {@code droppedDueToLateness}, on DirectRunner {@code DroppedDueToLateness},
   * in stateful {@code ParDo} {@code StatefulParDoDropped}.
   */
  public long droppedByBeam() {
    return counters.stream()
        .filter(counter -> !counter.getName().getNamespace().equals(TIDEMARK))
        .filter(counter -> counter.getName().getName().toLowerCase(Locale.ROOT).contains("dropped"))
        .mapToLong(MetricResult::getAttempted)
        .sum();
  }
}
