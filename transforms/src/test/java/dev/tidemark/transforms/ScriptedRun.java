package dev.tidemark.transforms;

import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.Counters;
import dev.tidemark.testkit.Gather;
import dev.tidemark.testkit.ScriptedPipeline;
import dev.tidemark.testkit.Step;
import java.util.List;
import org.apache.beam.sdk.transforms.ParDo;

/** What the real transforms make of a script. */
record ScriptedRun(List<WindowResult> results, List<TooLateEvent> tooLate, Counters counters) {

  /** Plays the script, each event in a bundle of its own. */
  static ScriptedRun of(Policy policy, List<Step> steps) {
    return of(policy, steps, 1);
  }

  /**
   * Plays the script.
   *
   * @param bundle how many arrivals, if they follow each other, come in one bundle
   */
  static ScriptedRun of(Policy policy, List<Step> steps, int bundle) {
    ScriptedPipeline script = ScriptedPipeline.of(steps, bundle);
    WindowedAggregation.Output output =
        script.events().apply(policy.metric(), WindowedAggregation.of(policy));
    Gather<WindowResult> results = new Gather<>();
    Gather<TooLateEvent> tooLate = new Gather<>();
    output.results().apply("Gather results", ParDo.of(results));
    output.tooLate().apply("Gather too late", ParDo.of(tooLate));
    Counters counters = script.run();
    return new ScriptedRun(results.gathered(), tooLate.gathered(), counters);
  }
}
