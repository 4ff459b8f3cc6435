package dev.tidemark.pipelines.run;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.metrics.MetricsFilter;

/** What the pipeline's counters say, summed over the steps that count the same. */
final class Counts {
  private static final MetricsFilter OURS =
      MetricsFilter.builder().addNameFilter(MetricNameFilter.inNamespace("tidemark")).build();
  private static final String READ = "read";
  private static final String REASON = "deadLetters.";

  private final Map<String, Long> counters;

  private Counts(Map<String, Long> counters) {
    this.counters = counters;
  }

  /** Over all steps. */
  static Counts of(MetricResults metrics) {
    return ofSteps(metrics, "");
  }

  /** Over the steps of one metric. */
  static Counts ofMetric(MetricResults metrics, String metric) {
    return ofSteps(metrics, metric + "/");
  }

  private static Counts ofSteps(MetricResults metrics, String stepPrefix) {
    Map<String, Long> counters = new HashMap<>();
    for (MetricResult<Long> counter : metrics.queryMetrics(OURS).getCounters()) {
      String step = counter.getKey().stepName();
      if (step != null && step.startsWith(stepPrefix)) {
        String name = counter.getName().getName();
        // Each policy reads all records.
        BinaryOperator<Long> merge = name.equals(READ) ? Math::max : Long::sum;
        counters.merge(name, counter.getAttempted(), merge);
      }
    }
    return new Counts(counters);
  }

  /** Records that the sources gave. */
  long read() {
    return counter(READ);
  }

  /** Events, each once for each window that it was counted in. */
  long counted() {
    return counter("counted");
  }

  long deadLetters() {
    return counter("deadLetters");
  }

  /** Events, each once for each window that it missed. */
  long tooLate() {
    return counter("tooLate");
  }

  /** Too-late events that the policy says to drop. */
  long dropped() {
    return counter("dropped");
  }

  long panes() {
    return counter("panes");
  }

  /** The most frequent reasons of dead letters: {@code NOT_JSON 6, BAD_TIMESTAMP 4}. */
  String topReasons(int most) {
    return counters.entrySet().stream()
        .filter(counter -> counter.getKey().startsWith(REASON))
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(most)
        .map(
            reason ->
                "%s %,d".formatted(reason.getKey().substring(REASON.length()), reason.getValue()))
        .collect(Collectors.joining(", "));
  }

  private long counter(String name) {
    return counters.getOrDefault(name, 0L);
  }
}
