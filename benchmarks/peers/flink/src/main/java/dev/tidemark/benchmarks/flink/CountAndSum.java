package dev.tidemark.benchmarks.flink;

import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.java.tuple.Tuple2;

/** How many clicks, and of how many bytes: both in one array, which changes in place. */
final class CountAndSum implements AggregateFunction<Tuple2<String, Long>, long[], String> {

  @Override
  public long[] createAccumulator() {
    return new long[2];
  }

  @Override
  public long[] add(Tuple2<String, Long> urlAndBytes, long[] countAndSum) {
    countAndSum[0]++;
    countAndSum[1] += urlAndBytes.f1;
    return countAndSum;
  }

  @Override
  public String getResult(long[] countAndSum) {
    return countAndSum[0] + "," + countAndSum[1];
  }

  @Override
  public long[] merge(long[] a, long[] b) {
    a[0] += b[0];
    a[1] += b[1];
    return a;
  }
}
