package dev.tidemark.benchmarks.flink;

import org.apache.flink.streaming.api.functions.windowing.WindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** A line of the answer of each key and window. */
final class Line implements WindowFunction<String, String, String, TimeWindow> {

  @Override
  public void apply(
      String key, TimeWindow window, Iterable<String> values, Collector<String> lines) {
    for (String value : values) {
      lines.collect(key + "," + window.getStart() + "," + window.getEnd() + "," + value);
    }
  }
}
