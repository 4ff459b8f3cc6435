package dev.tidemark.benchmarks.flink.metrics;

import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Found by Flink where its configuration names it. */
public final class BytesFactory implements MetricReporterFactory {

  @Override
  public MetricReporter createMetricReporter(Properties properties) {
    return new Bytes();
  }
}
