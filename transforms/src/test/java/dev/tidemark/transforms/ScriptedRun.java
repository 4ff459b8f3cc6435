package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.Counters;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.testkit.Step;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.TimestampedValue;

/** What the real transforms make of a script. */
record ScriptedRun(List<WindowResult> results, List<TooLateEvent> tooLate, Counters counters) {

  /** Plays the script, each event in a bundle of its own. */
  static ScriptedRun of(Policy policy, List<Step> steps) {
    return of(policy, steps, 1);
  }

  /**
   * Plays the script on DirectRunner under TestStream.
   *
   * @param bundle how many arrivals, if they follow each other, come in one bundle
   */
  static ScriptedRun of(Policy policy, List<Step> steps, int bundle) {
    TestPipeline pipeline = PipelineExtension.newPipeline();
    // A step of a script is one bundle: more threads only spin, and double the cost of a run.
    pipeline.getOptions().as(DirectOptions.class).setTargetParallelism(1);
    WindowedAggregation.Output output =
        pipeline
            .apply(stream(steps, bundle))
            .apply(policy.metric(), WindowedAggregation.of(policy));
    Gather<WindowResult> results = new Gather<>();
    Gather<TooLateEvent> tooLate = new Gather<>();
    output.results().apply("Gather results", ParDo.of(results));
    output.tooLate().apply("Gather too late", ParDo.of(tooLate));
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return new ScriptedRun(results.gathered(), tooLate.gathered(), Counters.of(result));
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
