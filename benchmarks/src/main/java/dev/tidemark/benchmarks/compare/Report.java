package dev.tidemark.benchmarks.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What has been measured: a table for each job, and all as JSON. */
final class Report {
  private static final String FLINK = "flink";
  private static final String PLAIN = "plain-java";

  private final long events;
  private final List<Row> rows = new ArrayList<>();

  Report(long events) {
    this.events = events;
  }

  /**
   * An engine on a job.
   *
   * @param median of each figure by itself
   * @param toFlink median of the ratios of wall time, each of two runs that followed each other;
   *     null where Flink did not run
   * @param cpuToFlink the same of processor time
   * @param toPlain as toFlink, of plain Java
   */
  record Row(
      Job job,
      String engine,
      List<Measurement> runs,
      Measurement median,
      @Nullable Double toFlink,
      @Nullable Double cpuToFlink,
      @Nullable Double toPlain) {}

  /** All of the file. */
  record Document(
      long events, int processors, String java, int parallelism, String heap, List<Row> rows) {}

  void add(Job job, Map<Engine, List<Measurement>> measurements) {
    List<Measurement> flink = of(FLINK, measurements);
    List<Measurement> plain = of(PLAIN, measurements);
    measurements.forEach(
        (engine, runs) ->
            rows.add(
                new Row(
                    job,
                    engine.name(),
                    runs,
                    median(runs),
                    ratio(runs, flink, Measurement::wallSeconds),
                    ratio(runs, flink, Measurement::cpuSeconds),
                    ratio(runs, plain, Measurement::wallSeconds))));
  }

  private static List<Measurement> of(String name, Map<Engine, List<Measurement>> measurements) {
    return measurements.entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name))
        .flatMap(entry -> entry.getValue().stream())
        .toList();
  }

  private static Measurement median(List<Measurement> runs) {
    return new Measurement(
        median(runs.stream().mapToDouble(Measurement::wallSeconds).toArray()),
        median(runs.stream().mapToDouble(Measurement::cpuSeconds).toArray()),
        medianOfTold(runs, Measurement::jobSeconds),
        median(runs.stream().mapToDouble(Measurement::peakMebibytes).toArray()),
        medianOfTold(runs, Measurement::shuffledMebibytes),
        medianOfTold(runs, Measurement::stateMebibytes),
        medianOfTold(runs, Measurement::results));
  }

  /** Of the runs that told it; null where none did. */
  private static @Nullable Double medianOfTold(
      List<Measurement> runs, Function<Measurement, @Nullable Double> figure) {
    double[] told =
        runs.stream().map(figure).filter(Objects::nonNull).mapToDouble(f -> f).toArray();
    return told.length == 0 ? null : median(told);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static @Nullable Double ratio(
      List<Measurement> runs, List<Measurement> others, ToDoubleFunction<Measurement> figure) {
    if (others.isEmpty()) {
      return null;
    }
    return median(
        IntStream.range(0, runs.size())
            .mapToDouble(
                i -> figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(others.get(i)))
            .toArray());
  }

  /** The last job's table. */
  void print(Job job, PrintStream out) {
    out.printf("%n%s %s, %,d events%n", job, job.description(), events);
    out.printf(
        "%-16s %8s %13s %8s %8s %10s %9s %12s %10s %9s %9s %9s %9s%n",
        "engine",
        "wall s",
        "min-max",
        "job s",
        "cpu s",
        "events/s",
        "peak MiB",
        "shuffled MiB",
        "state MiB",
        "results",
        "x flink",
        "cpu x",
        "x plain");
    rows.stream().filter(row -> row.job() == job).forEach(row -> print(row, out));
  }

  private void print(Row row, PrintStream out) {
    Measurement median = row.median();
    DoubleSummaryStatistics wall =
        row.runs().stream().mapToDouble(Measurement::wallSeconds).summaryStatistics();
    out.printf(
        "%-16s %8.1f %13s %8s %8.1f %,10.0f %9.0f %12s %10s %9s %9s %9s %9s%n",
        row.engine(),
        median.wallSeconds(),
        "%.1f-%.1f".formatted(wall.getMin(), wall.getMax()),
        text("%.1f", median.jobSeconds()),
        median.cpuSeconds(),
        events / median.wallSeconds(),
        median.peakMebibytes(),
        text("%.1f", median.shuffledMebibytes()),
        text("%.1f", median.stateMebibytes()),
        text("%,.0f", median.results()),
        text("%.2f", row.toFlink()),
        text("%.2f", row.cpuToFlink()),
        text("%.2f", row.toPlain()));
  }

  private static String text(String format, @Nullable Double figure) {
    return figure == null ? "-" : format.formatted(figure);
  }

  void write(Path file) throws IOException {
    new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValue(
            file.toFile(),
            new Document(
                events,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                Engine.PARALLELISM,
                Engine.HEAP,
                rows));
  }
}
