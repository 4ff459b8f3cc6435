package dev.tidemark.transforms;

import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.Counters;
import dev.tidemark.testkit.Gather;
import dev.tidemark.testkit.ScriptedPipeline;
import dev.tidemark.testkit.Step;
import java.util.List;
import org.apache.beam.sdk.transforms.ParDo;

/** What the real transforms make of a script. */
public record ScriptedRun(
    List<WindowResult> results, List<TooLateEvent> tooLate, Counters counters) {

  /** Plays the script, each event in a bundle of its own. */
  public static ScriptedRun of(Policy policy, List<Step> steps) {
    return of(policy, steps, 1);
  }

  /**
   * Plays the script.
   *
   * @param bundle how many arrivals, if they follow each other, come in one bundle
   */
  static ScriptedRun of(Policy policy, List<Step> steps, int bundle) {
    return of(policy.metric(), WindowedAggregation.of(policy), ScriptedPipeline.of(steps, bundle));
  }

  /** Plays a script whose watermark does not pass this clock before the end. */
  static ScriptedRun withWallClock(Policy policy, List<Step> steps, WallClock clock, int bundle) {
    return of(
        policy.metric(),
        WindowedAggregation.of(policy).withWallClock(clock),
        ScriptedPipeline.of(steps, bundle));
  }

  /** Plays a script with results that carry their accumulators. */
  public static ScriptedRun withAccumulators(Policy policy, List<Step> steps, int bundle) {
    return of(
        policy.metric(),
        WindowedAggregation.of(policy).withAccumulators(),
        ScriptedPipeline.of(steps, bundle));
  }

  private static ScriptedRun of(
      String metric, WindowedAggregation aggregation, ScriptedPipeline script) {
    WindowedAggregation.Output output = script.events().apply(metric, aggregation);
    Gather<WindowResult> results = new Gather<>();
    Gather<TooLateEvent> tooLate = new Gather<>();
    output.results().apply("Gather results", ParDo.of(results));
    output.tooLate().apply("Gather too late", ParDo.of(tooLate));
    Counters counters = script.run();
    return new ScriptedRun(results.gathered(), tooLate.gathered(), counters);
  }
}
