package dev.tidemark.benchmarks.micro;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.EventKeyCoder;
import dev.tidemark.event.Scalar;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowResultCoder;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.CoderUtils;
import org.joda.time.Instant;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The coders of keys and results. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodersBenchmark {
  private static final Instant START = Instant.parse("2024-07-04T10:00:00Z");
  private static final Instant END = Instant.parse("2024-07-04T10:05:00Z");

  private final EventKey key = new EventKey(List.of(new Scalar.Text("/p/123")));
  private final WindowResult result =
      new WindowResult(
          key,
          new ResultWindow(START, END),
          ResultKind.FINAL,
          1,
          true,
          END,
          END,
          List.of(number(83), number(4_200_000)),
          List.of(),
          null,
          List.of());
  private byte[] encodedKey = {};
  private byte[] encodedResult = {};

  @Setup
  public void setUp() throws CoderException {
    encodedKey = encodeKey();
    encodedResult = encodeResult();
  }

  private static AggregateValue number(long value) {
    return new AggregateValue.Single(new Scalar.Num(BigDecimal.valueOf(value)));
  }

  @Benchmark
  public byte[] encodeKey() throws CoderException {
    return CoderUtils.encodeToByteArray(EventKeyCoder.of(), key);
  }

  @Benchmark
  public EventKey decodeKey() throws CoderException {
    return CoderUtils.decodeFromByteArray(EventKeyCoder.of(), encodedKey);
  }

  @Benchmark
  public byte[] encodeResult() throws CoderException {
    return CoderUtils.encodeToByteArray(WindowResultCoder.of(), result);
  }

  @Benchmark
  public WindowResult decodeResult() throws CoderException {
    return CoderUtils.decodeFromByteArray(WindowResultCoder.of(), encodedResult);
  }
}
