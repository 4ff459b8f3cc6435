package dev.tidemark.pipelines.run;

import dev.tidemark.transforms.ResultKind;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.beam.sdk.metrics.GaugeResult;
import org.apache.beam.sdk.metrics.MetricName;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the pipeline's metrics say: its counters, summed over the steps that count the same, and how
 * far event time has come.
 */
public final class Counts {
  private static final String OURS = "tidemark";

  /**
   * In the names of the counters of whatever a runner drops: {@code droppedDueToLateness}, on
   * DirectRunner {@code DroppedDueToLateness}, in stateful {@code ParDo} {@code
   * StatefulParDoDropped}.
   */
  private static final Pattern DROPS = Pattern.compile("dropped", Pattern.CASE_INSENSITIVE);

  private static final String DROPPED_BY_RUNNER = "droppedByRunner";
  private static final String READ = "read";
  private static final String REASON = "deadLetters.";
  private static final String PANES = "panes.";
  private static final String WATERMARK = "watermark";

  private final Map<String, Long> counters;
  private final @Nullable Instant watermark;

  Counts(Map<String, Long> counters) {
    this(counters, null);
  }

  Counts(Map<String, Long> counters, @Nullable Instant watermark) {
    this.counters = counters;
    this.watermark = watermark;
  }

  /** Over all steps. */
  public static Counts of(MetricResults metrics) {
    return ofSteps(metrics, "");
  }

  /** Over the steps of one metric. */
  static Counts ofMetric(MetricResults metrics, String metric) {
    return ofSteps(metrics, metric + "/");
  }

  private static Counts ofSteps(MetricResults metrics, String stepPrefix) {
    Map<String, Long> counters = new HashMap<>();
    for (MetricResult<Long> counter : metrics.allMetrics().getCounters()) {
      String step = counter.getKey().stepName();
      String name = name(counter.getName());
      if (step != null && step.startsWith(stepPrefix) && name != null) {
        // Each policy reads all records.
        BinaryOperator<Long> merge = name.equals(READ) ? Math::max : Long::sum;
        counters.merge(name, value(counter), merge);
      }
    }
    return new Counts(counters, watermark(metrics));
  }

  /** The least of the sources'. */
  private static @Nullable Instant watermark(MetricResults metrics) {
    Instant least = null;
    for (MetricResult<GaugeResult> gauge : metrics.allMetrics().getGauges()) {
      MetricName name = gauge.getName();
      if (name.getNamespace().equals(OURS) && name.getName().equals(WATERMARK)) {
        Instant one = Instant.ofEpochMilli(gauge.getAttempted().getValue());
        least = least == null || one.isBefore(least) ? one : least;
      }
    }
    return least;
  }

  private static @Nullable String name(MetricName name) {
    if (name.getNamespace().equals(OURS)) {
      return name.getName();
    }
    return DROPS.matcher(name.getName()).find() ? DROPPED_BY_RUNNER : null;
  }

  /**
   * What a failed bundle counted before it was tried again does not count, where a runner tells.
   */
  private static long value(MetricResult<Long> counter) {
    Long committed = counter.getCommittedOrNull();
    return committed == null ? counter.getAttempted() : committed;
  }

  /** What has been counted since. */
  Counts since(Counts earlier) {
    Map<String, Long> difference = new HashMap<>(counters);
    earlier.counters.forEach((name, count) -> difference.merge(name, -count, Long::sum));
    return new Counts(difference);
  }

  /** Records that the sources gave. */
  public long read() {
    return counter(READ);
  }

  /** Records that became events. */
  public long events() {
    return counter("events");
  }

  /** Events, each once for each window that it was given; 0 where nothing counts them. */
  long assigned() {
    return counter("assigned");
  }

  /** Elements that the runner dropped for being late: must be 0. */
  long droppedByRunner() {
    return counter(DROPPED_BY_RUNNER);
  }

  /** Events, each once for each window that it was counted in. */
  public long counted() {
    return counter("counted");
  }

  /** Windows that were corrected. */
  public long corrections() {
    return counter("corrections");
  }

  public long deadLetters() {
    return counter("deadLetters");
  }

  /** Of the dead letters, those that have failed too often. */
  public long severe() {
    return counter("severe");
  }

  /** Results that a destination refused, once for each that did. */
  long notWritten() {
    return counter("notWritten");
  }

  /** Events, each once for each window that it missed. */
  public long tooLate() {
    return counter("tooLate");
  }

  /** Too-late events that the policy says to drop. */
  long dropped() {
    return counter("dropped");
  }

  long panes() {
    return counter("panes");
  }

  /** Of each kind of which there are any, in the order in which they follow each other. */
  Map<ResultKind, Long> panesByKind() {
    Map<ResultKind, Long> panes = new EnumMap<>(ResultKind.class);
    for (ResultKind kind : ResultKind.values()) {
      panes.put(kind, counter(PANES + kind));
    }
    panes.values().removeIf(count -> count == 0);
    return panes;
  }

  /** What the sources expect no event before; null where none tells, as of files. */
  @Nullable Instant watermark() {
    return watermark;
  }

  /** The most frequent reasons of dead letters: {@code NOT_JSON 6, BAD_TIMESTAMP 4}. */
  public String topReasons(int most) {
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
