package dev.tidemark.benchmarks.micro;

import dev.tidemark.dlq.RecordParser;
import dev.tidemark.event.RawRecord;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** A record's way to an event. The two kinds of time differ by what reading ISO-8601 costs. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ParseBenchmark {
  @Param({"iso", "millis"})
  String time = "iso";

  private final RecordParser parser =
      RecordParser.of(Samples.policy("clicks: count, bytes: {sum: /bytes}"));
  private RawRecord[] records = {};

  @Setup
  public void setUp() {
    records = Samples.records(time.equals("iso"));
  }

  /** One record. */
  @Benchmark
  @OperationsPerInvocation(Samples.COUNT)
  public void parse(Blackhole blackhole) {
    for (RawRecord record : records) {
      blackhole.consume(parser.parse(record));
    }
  }
}
