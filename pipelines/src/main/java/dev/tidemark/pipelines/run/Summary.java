package dev.tidemark.pipelines.run;

import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.Outlet;
import dev.tidemark.policy.Policy;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.beam.sdk.metrics.MetricResults;
import org.joda.time.Duration;

/** What became of every record. */
final class Summary {
  private static final int TOP_REASONS = 3;

  private final Counts all;
  private final Map<Policy, Counts> byPolicy;
  private final Duration took;

  private Summary(Counts all, Map<Policy, Counts> byPolicy, Duration took) {
    this.all = all;
    this.byPolicy = byPolicy;
    this.took = took;
  }

  static Summary of(MetricResults metrics, List<Policy> policies, Duration took) {
    Map<Policy, Counts> byPolicy = new LinkedHashMap<>();
    for (Policy policy : policies) {
      byPolicy.put(policy, Counts.ofMetric(metrics, policy.metric()));
    }
    return new Summary(Counts.of(metrics), byPolicy, took);
  }

  /** Of a run that has come to its end: with what does not add up. */
  void print(PrintWriter err, Destination destination) {
    printCounts(err);
    if (all.tooLate() > 0) {
      places(destination::tooLate).forEach(place -> err.println("too late: " + place));
    }
    if (all.deadLetters() + all.notWritten() > 0) {
      places(destination::deadLetters).forEach(place -> err.println("dead letters: " + place));
    }
    places(destination::results).forEach(place -> err.println("results: " + place));
    imbalances().forEach(imbalance -> err.println("tidemark: EVENTS ARE MISSING: " + imbalance));
    err.flush();
  }

  /** Of a run at any time. */
  void printCounts(PrintWriter err) {
    double seconds = Math.max(1, took.getMillis()) / 1000.0;
    err.printf("read %,d records in %.1f s (%,.0f/s)%n", all.read(), seconds, all.read() / seconds);
    byPolicy.forEach((policy, counts) -> err.println(line(policy.metric(), counts)));
  }

  /** Of all policies, each place once. */
  private <T> Set<String> places(Function<Policy, List<Outlet<T>>> outlets) {
    return byPolicy.keySet().stream()
        .flatMap(policy -> outlets.apply(policy).stream())
        .map(Outlet::place)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Whether every record is accounted for. */
  boolean isBalanced() {
    return imbalances().isEmpty();
  }

  private List<String> imbalances() {
    return byPolicy.entrySet().stream()
        .flatMap(entry -> Conservation.imbalances(entry.getKey(), entry.getValue()).stream())
        .toList();
  }

  private static String line(String metric, Counts counts) {
    String reasons = counts.topReasons(TOP_REASONS);
    return "%s: %,d counted, %,d dead letters%s, %,d too late%s, %,d results%s"
        .formatted(
            metric,
            counts.counted(),
            counts.deadLetters(),
            reasons.isEmpty() ? "" : " (" + reasons + ")",
            counts.tooLate(),
            counts.dropped() == 0 ? "" : " (%,d dropped)".formatted(counts.dropped()),
            counts.panes(),
            counts.notWritten() == 0 ? "" : " (%,d not written)".formatted(counts.notWritten()));
  }
}
