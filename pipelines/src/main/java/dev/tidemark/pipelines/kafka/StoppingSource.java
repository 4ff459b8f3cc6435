package dev.tidemark.pipelines.kafka;

import dev.tidemark.event.WallClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.UnboundedSource.CheckpointMark;
import org.apache.beam.sdk.metrics.Gauge;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Beam's Kafka source, which it reads as it is, with two things more: it can end by itself, and it
 * tells its watermark.
 *
 * <p>From {@code stopAt} on it gives no record and puts the watermark at infinity, so that every
 * window fires and a pipeline on DirectRunner ends. A record that it has not given by then stays
 * unread: it is neither lost nor made late, and its offset is not committed.
 *
 * <p>Sets the gauge {@code watermark} under the namespace {@code tidemark}: the least watermark of
 * the partitions that this process reads, in epoch milliseconds, once it reads.
 */
final class StoppingSource<T, C extends CheckpointMark> extends UnboundedSource<T, C> {
  private final UnboundedSource<T, C> kafka;
  private final EventTimePolicies policies;
  private final WallClock clock;
  private final @Nullable Instant stopAt;

  /**
   * @param policies those that {@code kafka} takes its watermarks from
   * @param stopAt null to go on without end
   */
  StoppingSource(
      UnboundedSource<T, C> kafka,
      EventTimePolicies policies,
      WallClock clock,
      @Nullable Instant stopAt) {
    this.kafka = kafka;
    this.policies = policies;
    this.clock = clock;
    this.stopAt = stopAt;
  }

  @Override
  public List<StoppingSource<T, C>> split(int desiredNumSplits, PipelineOptions options)
      throws Exception {
    List<StoppingSource<T, C>> splits = new ArrayList<>();
    for (UnboundedSource<T, C> split : kafka.split(desiredNumSplits, options)) {
      splits.add(new StoppingSource<>(split, policies, clock, stopAt));
    }
    return splits;
  }

  @Override
  public UnboundedReader<T> createReader(PipelineOptions options, @Nullable C checkpoint)
      throws IOException {
    policies.goBy(options);
    return new Reader(kafka.createReader(options, checkpoint));
  }

  @Override
  public Coder<C> getCheckpointMarkCoder() {
    return kafka.getCheckpointMarkCoder();
  }

  @Override
  public Coder<T> getOutputCoder() {
    return kafka.getOutputCoder();
  }

  private final class Reader extends UnboundedReader<T> {
    private final UnboundedReader<T> kafkaReader;
    private final Gauge watermark = Metrics.gauge("tidemark", "watermark");
    private boolean started;
    private boolean stopped;

    Reader(UnboundedReader<T> kafkaReader) {
      this.kafkaReader = kafkaReader;
    }

    @Override
    public boolean start() throws IOException {
      started = true;
      return !isStopped() && kafkaReader.start();
    }

    @Override
    public boolean advance() throws IOException {
      return !isStopped() && kafkaReader.advance();
    }

    /** Asked where records are given only, so that none comes after the watermark at infinity. */
    private boolean isStopped() {
      stopped = stopped || (stopAt != null && !clock.now().isBefore(stopAt));
      return stopped;
    }

    @Override
    public Instant getWatermark() {
      if (stopped) {
        return BoundedWindow.TIMESTAMP_MAX_VALUE;
      }
      Instant reached = kafkaReader.getWatermark();
      if (started) {
        watermark.set(policies.watermark().getMillis());
      }
      return reached;
    }

    @Override
    public T getCurrent() {
      return kafkaReader.getCurrent();
    }

    @Override
    public Instant getCurrentTimestamp() {
      return kafkaReader.getCurrentTimestamp();
    }

    @Override
    public CheckpointMark getCheckpointMark() {
      return kafkaReader.getCheckpointMark();
    }

    @Override
    public long getSplitBacklogBytes() {
      return kafkaReader.getSplitBacklogBytes();
    }

    @Override
    public UnboundedSource<T, C> getCurrentSource() {
      return StoppingSource.this;
    }

    @Override
    public void close() throws IOException {
      kafkaReader.close();
    }
  }
}
