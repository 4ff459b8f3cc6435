package dev.tidemark.benchmarks.micro;

import dev.tidemark.event.Event;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.CoderUtils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What aggregates keep: an event taken in, another merged, encoded and decoded. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AccumulatorsBenchmark {
  @Param({
    "a: count",
    "a: {sum: /bytes}",
    "a: count, b: {sum: /bytes}",
    "a: {min: /bytes}",
    "a: {mean: /bytes}",
    "a: {distinct: /user}",
    "a: {quantile: {of: /bytes, q: 0.99}}",
    "a: {top: {of: /user, n: 10}}"
  })
  String aggregates = "a: count";

  private List<Aggregate> parsed = List.of();
  private Event[] events = {};
  private Accumulators ofAll = Accumulators.empty(List.of());
  private AccumulatorsCoder coder = AccumulatorsCoder.of(List.of());
  private byte[] encoded = {};

  @Setup
  public void setUp() throws CoderException {
    Policy policy = Samples.policy(aggregates);
    parsed = policy.aggregateList();
    events = Samples.events(policy);
    ofAll = added();
    coder = AccumulatorsCoder.of(parsed);
    encoded = encode();
  }

  private Accumulators added() {
    Accumulators accumulators = Accumulators.empty(parsed);
    for (Event event : events) {
      accumulators.add(event);
    }
    return accumulators;
  }

  /** One event. */
  @Benchmark
  @OperationsPerInvocation(Samples.COUNT)
  public Accumulators add() {
    return added();
  }

  /** Those of a thousand events into none. */
  @Benchmark
  public Accumulators merge() {
    Accumulators merged = Accumulators.empty(parsed);
    merged.merge(ofAll);
    return merged;
  }

  /** Those of a thousand events. */
  @Benchmark
  public byte[] encode() throws CoderException {
    return CoderUtils.encodeToByteArray(coder, ofAll);
  }

  /** Those of a thousand events. */
  @Benchmark
  public Accumulators decode() throws CoderException {
    return CoderUtils.decodeFromByteArray(coder, encoded);
  }
}
