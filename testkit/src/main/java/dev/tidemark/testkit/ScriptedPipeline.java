package dev.tidemark.testkit;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;

/**
 * A pipeline on DirectRunner that a script arrives at, under {@code TestStream}. Apply what is
 * tested to {@link #events}, {@link Gather} what comes out, and {@link #run} it once.
 */
public final class ScriptedPipeline {
  private final TestPipeline pipeline = PipelineExtension.newPipeline();
  private final PCollection<Event> events;

  private ScriptedPipeline(List<Step> steps, int bundle) {
    // A step of a script is one bundle: more threads only spin, and double the cost of a run.
    pipeline.getOptions().as(DirectOptions.class).setTargetParallelism(1);
    events = pipeline.apply(stream(steps, bundle));
  }

  /** Each event comes in a bundle of its own. After the last step the watermark is infinite. */
  public static ScriptedPipeline of(List<Step> steps) {
    return of(steps, 1);
  }

  /**
   * After the last step the watermark is infinite.
   *
   * @param bundle how many arrivals, if they follow each other, come in one bundle
   */
  public static ScriptedPipeline of(List<Step> steps, int bundle) {
    return new ScriptedPipeline(steps, bundle);
  }

  /** The events of the script. */
  public PCollection<Event> events() {
    return events;
  }

  /** Plays the script to its end. */
  public Counters run() {
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return Counters.of(result);
  }

  private static TestStream<Event> stream(List<Step> steps, int bundle) {
    TestStream.Builder<Event> stream = TestStream.create(EventCoder.of());
    List<TimestampedValue<Event>> together = new ArrayList<>();
    for (Step step : steps) {
      if (step instanceof Step.Arrive arrive) {
        together.add(TimestampedValue.of(arrive.event(), arrive.event().timestamp()));
      }
      if (!together.isEmpty() && (together.size() == bundle || step instanceof Step.Advance)) {
        stream = addBundle(stream, together);
        together.clear();
      }
      if (step instanceof Step.Advance advance) {
        stream = stream.advanceWatermarkTo(advance.watermark());
      }
    }
    return (together.isEmpty() ? stream : addBundle(stream, together)).advanceWatermarkToInfinity();
  }

  @SuppressWarnings("unchecked") // an array of a generic type, for the rest of the bundle
  private static TestStream.Builder<Event> addBundle(
      TestStream.Builder<Event> stream, List<TimestampedValue<Event>> together) {
    return stream.addElements(
        together.get(0), together.subList(1, together.size()).toArray(TimestampedValue[]::new));
  }
}
