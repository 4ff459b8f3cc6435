package dev.tidemark.pipelines.simulate;

import dev.tidemark.dlq.ParseEvents;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.WindowedAggregation;
import java.io.Serializable;
import java.util.List;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Plays a file of arrivals against a policy: the transforms of a real run, on the DirectRunner,
 * with the watermark and the clock moved by the file. Each step has run its course through the
 * whole pipeline before the next one starts.
 *
 * <p>Use it to see what a policy does with an order of arrivals, in tests too. It keeps everything
 * in memory and takes some milliseconds a line, so it is not for bulk data.
 */
final class Simulation {
  /** Beam fires what is due before the clock, so what is due right now needs a little more. */
  private static final Duration PAST_DUE = Duration.millis(1);

  private final Policy policy;
  private final Instant start;
  private final List<Step> steps;
  private final boolean withAccumulators;

  private Simulation(Policy policy, Instant start, List<Step> steps, boolean withAccumulators) {
    this.policy = policy;
    this.start = start;
    this.steps = steps;
    this.withAccumulators = withAccumulators;
  }

  /**
   * Reads the arrivals.
   *
   * @param start the wall clock at the first line
   * @throws UsageException if the file cannot be read, or a directive in it is wrong
   */
  static Simulation of(Policy policy, String events, Instant start) throws UsageException {
    return new Simulation(policy, start, Script.read(events, policy, start), false);
  }

  /** Whether results carry their accumulators; see {@link WindowedAggregation#withAccumulators}. */
  Simulation withAccumulators(boolean withAccumulators) {
    return new Simulation(policy, start, steps, withAccumulators);
  }

  /** Runs the pipeline: each step, with what came of it. */
  List<Played> run() {
    try (Recording recording = Recording.open(steps)) {
      pipeline(recording.id()).run().waitUntilFinish();
      return recording.played();
    }
  }

  private Pipeline pipeline(String recording) {
    Pipeline pipeline = Pipeline.create(options());
    ParseEvents.Output parsed =
        pipeline
            .apply("Play the steps", stream())
            .apply("Let records arrive", ParDo.of(new Arrive(recording)))
            .setCoder(RawRecordCoder.of())
            .apply(
                "Parse events",
                ParseEvents.of(policy).withWallClock(new Recording.Clock(recording)));
    WindowedAggregation.Output aggregated =
        parsed.events().apply("Aggregate by window", aggregation());
    aggregated.results().apply("Record results", ParDo.of(new Note<>(recording, Recording::add)));
    aggregated.tooLate().apply("Record too late", ParDo.of(new Note<>(recording, Recording::add)));
    parsed
        .deadLetters()
        .apply("Record dead letters", ParDo.of(new Note<>(recording, Recording::add)));
    return pipeline;
  }

  private WindowedAggregation aggregation() {
    WindowedAggregation aggregation = WindowedAggregation.of(policy);
    return withAccumulators ? aggregation.withAccumulators() : aggregation;
  }

  private static PipelineOptions options() {
    DirectOptions options = PipelineOptionsFactory.as(DirectOptions.class);
    options.setRunner(DirectRunner.class);
    options.setTargetParallelism(1);
    return options;
  }

  /**
   * The number of each step, followed by the moves that the step makes. A step without an event
   * time is stamped with the watermark, which is never late.
   */
  private TestStream<Integer> stream() {
    TestStream.Builder<Integer> stream = TestStream.create(VarIntCoder.of());
    Instant watermark = BoundedWindow.TIMESTAMP_MIN_VALUE;
    Instant now = start;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Instant stamp = step.eventTime() == null ? watermark : step.eventTime();
      stream = stream.addElements(TimestampedValue.of(i, stamp));
      if (step.now().isAfter(now)) {
        stream = stream.advanceProcessingTime(new Duration(now, step.now()).plus(PAST_DUE));
        now = step.now();
      }
      if (step.watermark().isAfter(watermark) && !step.isEnd()) {
        stream = stream.advanceWatermarkTo(step.watermark());
        watermark = step.watermark();
      }
    }
    return stream.advanceWatermarkToInfinity();
  }

  private static final class Arrive extends DoFn<Integer, RawRecord> {
    private final String recording;

    Arrive(String recording) {
      this.recording = recording;
    }

    @ProcessElement
    public void process(@Element Integer number, OutputReceiver<RawRecord> arrivals) {
      Step step = Recording.of(recording).reach(number);
      if (step.arrival() != null) {
        arrivals.output(step.arrival());
      }
    }
  }

  private static final class Note<T> extends DoFn<T, Void> {
    private final String recording;
    private final Entry<T> entry;

    Note(String recording, Entry<T> entry) {
      this.recording = recording;
      this.entry = entry;
    }

    @ProcessElement
    public void process(@Element T element) {
      entry.add(Recording.of(recording), element);
    }
  }

  private interface Entry<T> extends Serializable {
    void add(Recording recording, T element);
  }
}
