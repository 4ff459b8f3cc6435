package dev.tidemark.transforms.reconcile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.EventKey;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.BatchRun;
import dev.tidemark.testkit.BatchRun.Row;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.transforms.InModelTerms;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.ScriptedRun;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.aggregate.Accumulators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What stands once all that came too late is reconciled is what a batch run over all events says,
 * whatever arrived and however it was bundled.
 */
class ReconciledViewTest {

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.of(Policies.reconcilable());
  }

  @Property(tries = 1_000)
  void theReconciledViewIsThatOfABatchRun(
      @ForAll("scenarios") Scenario scenario,
      @ForAll @IntRange(min = 1, max = 4) int bundle,
      @ForAll Random random) {
    Policy policy = scenario.policy();
    ScriptedRun run = ScriptedRun.withAccumulators(policy, scenario.steps(), bundle);
    List<ResultLine> trail = new ArrayList<>(lines(policy, run.results()));

    trail.addAll(corrections(policy, trail, some(run.tooLate(), random)));
    trail.addAll(some(trail, random)); // a sink that delivers at least once
    List<TooLateEvent> lane = new ArrayList<>(run.tooLate());
    lane.addAll(some(lane, random));
    trail.addAll(corrections(policy, trail, lane));

    assertThat(view(policy, trail), is(BatchRun.of(policy, scenario.steps())));
    assertThat(corrections(policy, trail, lane), is(empty()));
  }

  private static <T> List<T> some(List<T> all, Random random) {
    return all.stream().filter(one -> random.nextBoolean()).toList();
  }

  private static List<ResultLine> lines(Policy policy, List<WindowResult> results) {
    return results.stream()
        .map(result -> ResultLine.parse(ResultJson.line(policy, result)))
        .toList();
  }

  /** What is corrected together; of sessions, all windows of a key. */
  private record Scope(EventKey key, @Nullable ResultWindow window) {
    static Scope of(Policy policy, EventKey key, @Nullable ResultWindow window) {
      return new Scope(key, policy.windowing() instanceof Windowing.Sessions ? null : window);
    }

    static Scope of(Policy policy, ResultLine line) {
      return of(policy, line.result().key(), line.result().window());
    }

    static Scope of(Policy policy, TooLateEvent event) {
      return of(policy, event.event().key(), event.window());
    }
  }

  private static List<ResultLine> corrections(
      Policy policy, List<ResultLine> trail, List<TooLateEvent> tooLate) {
    Set<Scope> scopes = new HashSet<>();
    trail.forEach(line -> scopes.add(Scope.of(policy, line)));
    tooLate.forEach(event -> scopes.add(Scope.of(policy, event)));
    List<ResultLine> corrections = new ArrayList<>();
    for (Scope scope : scopes) {
      Corrections.of(
              policy,
              scope.key(),
              trail.stream().filter(line -> Scope.of(policy, line).equals(scope)).toList(),
              tooLate.stream().filter(event -> Scope.of(policy, event).equals(scope)).toList(),
              Instant.EPOCH)
          .forEach(correction -> corrections.addAll(lines(policy, correction)));
    }
    return corrections;
  }

  private static Map<Row, List<@Nullable Object>> view(Policy policy, List<ResultLine> trail) {
    Map<EventKey, List<ResultLine>> byKey = new HashMap<>();
    for (ResultLine line : trail) {
      byKey.computeIfAbsent(line.result().key(), key -> new ArrayList<>()).add(line);
    }
    Map<Row, List<@Nullable Object>> view = new HashMap<>();
    byKey.forEach(
        (key, lines) ->
            StandingResults.of(lines)
                .forEach(
                    (window, standing) ->
                        view.put(
                            new Row(key, InModelTerms.window(window)), sum(policy, standing))));
    return view;
  }

  private static List<@Nullable Object> sum(Policy policy, List<ResultLine> panes) {
    List<Aggregate> aggregates = policy.aggregateList();
    Accumulators all = Accumulators.empty(aggregates);
    panes.forEach(pane -> all.merge(pane.accumulators(policy)));
    return InModelTerms.values(all.values());
  }
}
