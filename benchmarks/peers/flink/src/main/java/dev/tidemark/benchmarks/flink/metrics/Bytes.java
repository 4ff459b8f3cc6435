package dev.tidemark.benchmarks.flink.metrics;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.Scheduled;

/**
 * Prints how many bytes the tasks of all jobs have sent to others, and how many the newest
 * checkpoint has: at the configured interval, as the process may be killed, and whenever a task
 * ends. The last line of each stands.
 */
final class Bytes implements MetricReporter, Scheduled {
  private static final String SENT = "numBytesOut";
  private static final String CHECKPOINT = "lastCheckpointSize";

  /** Of operators, which have a counter of that name for what a sink sends elsewhere. */
  private static final String OPERATOR = "<operator_id>";

  /** Those of tasks that have ended, too: they keep what they have counted. */
  private final List<Counter> sent = new ArrayList<>();

  private final List<Gauge<?>> checkpoints = new ArrayList<>();

  @Override
  public void open(MetricConfig config) {}

  @Override
  public synchronized void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (isSent(name, group)) {
      sent.add((Counter) metric);
    } else if (name.equals(CHECKPOINT)) {
      checkpoints.add((Gauge<?>) metric);
    }
  }

  @Override
  public synchronized void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    if (isSent(name, group)) {
      report();
    }
  }

  private static boolean isSent(String name, MetricGroup group) {
    return name.equals(SENT) && !group.getAllVariables().containsKey(OPERATOR);
  }

  @Override
  public synchronized void report() {
    System.out.println("shuffled bytes: " + sent.stream().mapToLong(Counter::getCount).sum());
    for (Gauge<?> checkpoint : checkpoints) {
      if (checkpoint.getValue() instanceof Long bytes && bytes >= 0) {
        System.out.println("state bytes: " + bytes);
      }
    }
  }

  @Override
  public void close() {}
}
