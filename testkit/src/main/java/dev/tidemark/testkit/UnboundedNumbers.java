package dev.tidemark.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The numbers from 0 as a real unbounded source, with event times and a watermark that need not fit
 * each other. Splits as often as the runner asks, resumes from checkpoints, and ends: then its
 * watermark is at infinity. Use {@code TestStream} where the order of things matters.
 */
public final class UnboundedNumbers extends UnboundedSource<Long, UnboundedNumbers.Mark> {
  private final long count;
  private final SerializableFunction<Long, Instant> time;
  private final SerializableFunction<Long, Instant> watermark;
  private final long first;
  private final long step;

  private UnboundedNumbers(
      long count,
      SerializableFunction<Long, Instant> time,
      SerializableFunction<Long, Instant> watermark,
      long first,
      long step) {
    this.count = count;
    this.time = time;
    this.watermark = watermark;
    this.first = first;
    this.step = step;
  }

  /**
   * The source.
   *
   * @param count how many numbers
   * @param time the event time of a number
   * @param watermark where the watermark of a split stands behind a number; must not fall
   */
  public static UnboundedNumbers of(
      long count,
      SerializableFunction<Long, Instant> time,
      SerializableFunction<Long, Instant> watermark) {
    return new UnboundedNumbers(count, time, watermark, 0, 1);
  }

  @Override
  public List<UnboundedNumbers> split(int desired, PipelineOptions options) {
    return LongStream.range(0, desired)
        .mapToObj(split -> new UnboundedNumbers(count, time, watermark, split, desired))
        .toList();
  }

  @Override
  public UnboundedReader<Long> createReader(PipelineOptions options, @Nullable Mark mark) {
    return new Reader(mark == null ? first - step : mark.last);
  }

  @Override
  public Coder<Long> getOutputCoder() {
    return VarLongCoder.of();
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return new MarkCoder();
  }

  /** The last number that was read. */
  public record Mark(long last) implements UnboundedSource.CheckpointMark {
    @Override
    public void finalizeCheckpoint() {}
  }

  private static final class MarkCoder extends AtomicCoder<Mark> {
    @Override
    public void encode(Mark mark, OutputStream out) throws IOException {
      VarLongCoder.of().encode(mark.last, out);
    }

    @Override
    public Mark decode(InputStream in) throws IOException {
      return new Mark(VarLongCoder.of().decode(in));
    }
  }

  private final class Reader extends UnboundedReader<Long> {
    private long current;

    Reader(long current) {
      this.current = current;
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      if (isAtEnd()) {
        return false;
      }
      current += step;
      return true;
    }

    private boolean isAtEnd() {
      return current + step >= count;
    }

    @Override
    public Long getCurrent() {
      if (current < first) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return time.apply(getCurrent());
    }

    @Override
    public Instant getWatermark() {
      if (isAtEnd()) {
        return BoundedWindow.TIMESTAMP_MAX_VALUE;
      }
      return current < first ? BoundedWindow.TIMESTAMP_MIN_VALUE : watermark.apply(current);
    }

    @Override
    public CheckpointMark getCheckpointMark() {
      return new Mark(current);
    }

    @Override
    public UnboundedNumbers getCurrentSource() {
      return UnboundedNumbers.this;
    }

    @Override
    public void close() {}
  }
}
