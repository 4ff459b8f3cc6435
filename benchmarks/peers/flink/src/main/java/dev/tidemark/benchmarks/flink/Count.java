package dev.tidemark.benchmarks.flink;

import org.apache.flink.api.common.functions.AggregateFunction;

/** How many clicks; the accumulator changes in place. */
final class Count implements AggregateFunction<String, long[], String> {

  @Override
  public long[] createAccumulator() {
    return new long[1];
  }

  @Override
  public long[] add(String name, long[] count) {
    count[0]++;
    return count;
  }

  @Override
  public String getResult(long[] count) {
    return Long.toString(count[0]);
  }

  @Override
  public long[] merge(long[] a, long[] b) {
    a[0] += b[0];
    return a;
  }
}
