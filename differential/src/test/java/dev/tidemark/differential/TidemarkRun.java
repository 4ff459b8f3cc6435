package dev.tidemark.differential;

import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.Gather;
import dev.tidemark.testkit.ReferenceModel.KeyedWindow;
import dev.tidemark.testkit.ReferenceModel.Missed;
import dev.tidemark.testkit.ReferenceValues;
import dev.tidemark.testkit.ReferenceWindows.Window;
import dev.tidemark.testkit.ScriptedPipeline;
import dev.tidemark.testkit.Step;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowedAggregation;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.sdk.transforms.ParDo;
import org.jspecify.annotations.Nullable;

/** What Tidemark makes of a script, on DirectRunner. The aggregates must give single values. */
record TidemarkRun(List<WindowResult> results, List<TooLateEvent> tooLateEvents) {

  static TidemarkRun of(Policy policy, List<Step> steps) {
    ScriptedPipeline script = ScriptedPipeline.of(steps);
    WindowedAggregation.Output output =
        script.events().apply(policy.metric(), WindowedAggregation.of(policy));
    Gather<WindowResult> results = new Gather<>();
    Gather<TooLateEvent> tooLate = new Gather<>();
    output.results().apply("Gather results", ParDo.of(results));
    output.tooLate().apply("Gather too late", ParDo.of(tooLate));
    script.run();
    return new TidemarkRun(results.gathered(), tooLate.gathered());
  }

  /** The firings that came as one of these kinds of result. */
  List<Firing> firings(Set<ResultKind> kinds) {
    return results.stream()
        .filter(result -> kinds.contains(result.kind()))
        .map(TidemarkRun::firing)
        .toList();
  }

  /** The too-late lane. */
  List<Missed> tooLate() {
    return tooLateEvents.stream()
        .map(tooLate -> new Missed(tooLate.event(), window(tooLate.window())))
        .toList();
  }

  private static Firing firing(WindowResult result) {
    return new Firing(
        new KeyedWindow(result.key(), window(result.window())),
        result.firingSequence(),
        result.value().stream()
            .map(value -> ReferenceValues.plain(((AggregateValue.Single) value).scalar()))
            .collect(Collectors.toList()));
  }

  private static Window window(@Nullable ResultWindow window) {
    return window == null ? Window.GLOBAL : new Window(window.start(), window.end());
  }
}
