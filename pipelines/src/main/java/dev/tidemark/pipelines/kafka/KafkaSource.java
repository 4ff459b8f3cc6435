package dev.tidemark.pipelines.kafka;

import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.event.WallClock;
import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.Loops;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import java.util.List;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.kafka.KafkaCheckpointMark;
import org.apache.beam.sdk.io.kafka.KafkaIO;
import org.apache.beam.sdk.io.kafka.KafkaRecord;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The records of Kafka topics in batches, each stamped with the earliest event time that the
 * policies read in it. Tells by {@link EventTimePolicy} how far event time has come; commits what
 * has been read to the consumer group, if there is one, once a checkpoint is final.
 *
 * <p>It reads with {@link KafkaIO}. That has two readers: an {@link UnboundedSource}, and a
 * splittable {@code DoFn} that Dataflow gets. Both ask a timestamp policy, but the second makes a
 * new one for every stretch that it reads, which would forget how long a partition has been quiet.
 * So this transform takes the first from KafkaIO on every runner, by the experiment that Beam has
 * for it; a portable runner wraps it as it wraps any other {@code UnboundedSource}.
 *
 * <p>A partition that is added to a topic later is read too, from its beginning; the topics are
 * those that there are at the start.
 */
public final class KafkaSource extends PTransform<PBegin, PCollection<List<RawRecord>>> {
  private final KafkaInput input;
  private final List<Policy> policies;
  private final WallClock clock;
  private final @Nullable Duration stopAfter;

  /**
   * @param input with topics, not a pattern: what that matches may change, and may be internal
   */
  KafkaSource(
      KafkaInput input, List<Policy> policies, WallClock clock, @Nullable Duration stopAfter) {
    this.input = input;
    this.policies = policies;
    this.clock = clock;
    this.stopAfter = stopAfter;
  }

  /**
   * Reads what the options say, once the cluster has answered that it is there.
   *
   * @param policies those that will read the records; together they decide the watermark
   * @throws UsageException naming each option that is wrong: a cluster that does not answer, a
   *     topic that is not there, or one that is written to as well
   */
  public static KafkaSource of(RunOptions options, List<Policy> policies) throws UsageException {
    KafkaInput input = KafkaCluster.resolve(KafkaInput.of(options));
    Loops.refuse(input.topics(), KafkaDestination.topics(options));
    return new KafkaSource(input, policies, WallClock.SYSTEM, null);
  }

  /**
   * Ends by itself: after this time it gives no more records and the watermark goes to infinity.
   *
   * @param stopAfter from the making of the pipeline on
   */
  public KafkaSource withStopAfter(Duration stopAfter) {
    return new KafkaSource(input, policies, clock, stopAfter);
  }

  @Override
  public PCollection<List<RawRecord>> expand(PBegin begin) {
    return begin
        .apply("Read topics", Read.from(new BatchingSource<>(stoppingSource())))
        .apply("To raw records", ParDo.of(new RawRecordFn(clock)))
        .setCoder(ListCoder.of(RawRecordCoder.of()));
  }

  StoppingSource<KafkaRecord<byte[], byte[]>, KafkaCheckpointMark> stoppingSource() {
    Instant stopAt = stopAfter == null ? null : clock.now().plus(stopAfter);
    EventTimePolicies watermarks = new EventTimePolicies(policies, clock);
    GrowingSource<KafkaRecord<byte[], byte[]>> kafka =
        new GrowingSource<>(new KafkaTopics(input, watermarks));
    return new StoppingSource<>(kafka, watermarks, clock, stopAt);
  }

  static final class RawRecordFn
      extends DoFn<List<TimestampedValue<KafkaRecord<byte[], byte[]>>>, List<RawRecord>> {
    private final WallClock clock;

    RawRecordFn(WallClock clock) {
      this.clock = clock;
    }

    @ProcessElement
    public void convert(
        @Element List<TimestampedValue<KafkaRecord<byte[], byte[]>>> batch,
        OutputReceiver<List<RawRecord>> out) {
      if (!batch.isEmpty()) {
        Instant now = clock.now();
        out.output(batch.stream().map(record -> KafkaRecords.raw(record.getValue(), now)).toList());
      }
    }
  }
}
