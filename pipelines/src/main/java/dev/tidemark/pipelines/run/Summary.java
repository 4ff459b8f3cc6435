package dev.tidemark.pipelines.run;

import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.policy.Policy;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.metrics.MetricResults;
import org.joda.time.Duration;

/** What became of every record, said once a run is done. */
final class Summary {
  private static final int TOP_REASONS = 3;

  private final Counts all;
  private final Map<String, Counts> byMetric;
  private final Duration took;

  private Summary(Counts all, Map<String, Counts> byMetric, Duration took) {
    this.all = all;
    this.byMetric = byMetric;
    this.took = took;
  }

  static Summary of(MetricResults metrics, List<Policy> policies, Duration took) {
    Map<String, Counts> byMetric = new LinkedHashMap<>();
    for (Policy policy : policies) {
      byMetric.put(policy.metric(), Counts.ofMetric(metrics, policy.metric()));
    }
    return new Summary(Counts.of(metrics), byMetric, took);
  }

  void print(PrintWriter err, OutputDirectory output) {
    double seconds = Math.max(1, took.getMillis()) / 1000.0;
    err.printf("read %,d records in %.1f s (%,.0f/s)%n", all.read(), seconds, all.read() / seconds);
    byMetric.forEach((metric, counts) -> err.println(line(metric, counts)));
    if (all.tooLate() > 0) {
      err.println("too late: " + output.lane(OutputDirectory.TOO_LATE));
    }
    if (all.deadLetters() > 0) {
      err.println("dead letters: " + output.lane(OutputDirectory.DEAD_LETTERS));
    }
    err.println("results: " + output.lane(OutputDirectory.RESULTS));
    err.flush();
  }

  private static String line(String metric, Counts counts) {
    String reasons = counts.topReasons(TOP_REASONS);
    return "%s: %,d counted, %,d dead letters%s, %,d too late%s, %,d results"
        .formatted(
            metric,
            counts.counted(),
            counts.deadLetters(),
            reasons.isEmpty() ? "" : " (" + reasons + ")",
            counts.tooLate(),
            counts.dropped() == 0 ? "" : " (%,d dropped)".formatted(counts.dropped()),
            counts.panes());
  }
}
