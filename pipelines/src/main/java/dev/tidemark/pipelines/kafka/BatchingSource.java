package dev.tidemark.pipelines.kafka;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.UnboundedSource.CheckpointMark;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.TimestampedValue.TimestampedValueCoder;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A source whose elements are what another source has to give at once, up to {@link #MOST}. Runners
 * pay for each element of a source: DirectRunner takes ten at a time, and Flink locks for each.
 *
 * <p>A batch is stamped with the earliest time in it, so that it holds the watermark for all.
 *
 * <p>The batches are empty until the runner has passed the watermark on. Flink has none from before
 * a restart, so that what is too late by then would count as in time.
 *
 * <ul>
 *   <li>It knows the watermark of a split from its first element on. Where a worker reads several,
 *       it would go by the first split that gives one, and the events of the others could be late;
 *       so the first answer is that nothing is known.
 *   <li>It keeps a watermark back until the bundle ends that it came in; so as many empty batches
 *       follow as may be in one, see {@link BatchingOptions}.
 *   <li>Where a split gives nothing, it asks whether that has ended, and passes on nothing of what
 *       it hears; so there is always a batch until then.
 * </ul>
 *
 * <p>The other source must know its watermark before it is started, as Beam's Kafka source does.
 */
final class BatchingSource<T, C extends CheckpointMark>
    extends UnboundedSource<List<TimestampedValue<T>>, C> {
  /** As many as a consumer of Kafka takes in one go. */
  static final int MOST = 500;

  /** From which answer on the watermark is known. */
  private static final int ANSWERS = 2;

  private final UnboundedSource<T, C> source;

  BatchingSource(UnboundedSource<T, C> source) {
    this.source = source;
  }

  @Override
  public List<BatchingSource<T, C>> split(int desiredNumSplits, PipelineOptions options)
      throws Exception {
    List<BatchingSource<T, C>> splits = new ArrayList<>();
    for (UnboundedSource<T, C> split : source.split(desiredNumSplits, options)) {
      splits.add(new BatchingSource<>(split));
    }
    return splits;
  }

  @Override
  public UnboundedReader<List<TimestampedValue<T>>> createReader(
      PipelineOptions options, @Nullable C checkpoint) throws IOException {
    long emptyBatches = options.as(BatchingOptions.class).getEmptyBatches();
    return new Reader(source.createReader(options, checkpoint), emptyBatches);
  }

  @Override
  public Coder<C> getCheckpointMarkCoder() {
    return source.getCheckpointMarkCoder();
  }

  @Override
  public Coder<List<TimestampedValue<T>>> getOutputCoder() {
    return ListCoder.of(TimestampedValueCoder.of(source.getOutputCoder()));
  }

  private final class Reader extends UnboundedReader<List<TimestampedValue<T>>> {
    private final UnboundedReader<T> reader;
    private @Nullable List<TimestampedValue<T>> batch;
    private boolean started;
    private int watermarksTold;
    private long emptyBatchesLeft;

    Reader(UnboundedReader<T> reader, long emptyBatches) {
      this.reader = reader;
      this.emptyBatchesLeft = emptyBatches;
    }

    @Override
    public boolean start() {
      batch = List.of();
      return true;
    }

    @Override
    public boolean advance() throws IOException {
      if (!isWatermarkPassedOn()) {
        return start();
      }
      batch = startOrAdvance() ? filled() : null;
      return batch != null;
    }

    private boolean isWatermarkPassedOn() {
      return watermarksTold == ANSWERS && emptyBatchesLeft-- <= 0;
    }

    private boolean startOrAdvance() throws IOException {
      boolean found = started ? reader.advance() : reader.start();
      started = true;
      return found;
    }

    private List<TimestampedValue<T>> filled() throws IOException {
      List<TimestampedValue<T>> filled = new ArrayList<>();
      do {
        filled.add(TimestampedValue.of(reader.getCurrent(), reader.getCurrentTimestamp()));
      } while (filled.size() < MOST && reader.advance());
      return filled;
    }

    @Override
    public List<TimestampedValue<T>> getCurrent() {
      if (batch == null) {
        throw new NoSuchElementException();
      }
      return batch;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return getCurrent().stream()
          .map(TimestampedValue::getTimestamp)
          .min(Instant::compareTo)
          .orElse(BoundedWindow.TIMESTAMP_MIN_VALUE);
    }

    @Override
    public Instant getWatermark() {
      watermarksTold = Math.min(watermarksTold + 1, ANSWERS);
      return watermarksTold < ANSWERS ? BoundedWindow.TIMESTAMP_MIN_VALUE : reader.getWatermark();
    }

    @Override
    public CheckpointMark getCheckpointMark() {
      return reader.getCheckpointMark();
    }

    @Override
    public long getSplitBacklogBytes() {
      return reader.getSplitBacklogBytes();
    }

    @Override
    public UnboundedSource<List<TimestampedValue<T>>, C> getCurrentSource() {
      return BatchingSource.this;
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
