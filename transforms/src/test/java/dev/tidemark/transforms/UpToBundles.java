package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.ReferenceModel;
import dev.tidemark.testkit.ReferenceModel.KeyedWindow;
import dev.tidemark.testkit.ReferenceModel.Kind;
import dev.tidemark.testkit.ReferenceModel.Outcome;
import dev.tidemark.testkit.ReferenceModel.Result;
import dev.tidemark.testkit.ReferenceWindows;
import dev.tidemark.testkit.ReferenceWindows.Window;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.Step;
import dev.tidemark.transforms.lateness.LatenessGate;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import org.jspecify.annotations.Nullable;

/**
 * Where a bundle holds several arrivals, or the watermark comes a bundle later, a runner fires at
 * other moments than the model, which knows no bundles. So the panes are not the same; but what
 * they come to must be.
 */
public final class UpToBundles {
  private UpToBundles() {}

  /** Scenarios of aggregates that add up, and of sessions whose bounds no order decides. */
  public static Arbitrary<Scenario> scenarios() {
    return Scenario.of(Policies.any().map(UpToBundles::adaptable));
  }

  private static Policy adaptable(Policy policy) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    aggregates.put("count", new Aggregate.Count());
    aggregates.put("sum", new Aggregate.Sum(new Pointer("/v")));
    Windowing windowing =
        policy.windowing() instanceof Windowing.Sessions sessions
            ? new Windowing.Sessions(sessions.gap(), null)
            : policy.windowing();
    return Policies.of(
        windowing,
        policy.trigger(),
        policy.allowedLateness(),
        policy.accumulation(),
        policy.tooLate(),
        aggregates);
  }

  /**
   * That what a scenario came to is what it comes to in the model. In discarding mode its
   * aggregates must add up.
   */
  public static void assertSame(Scenario scenario, ScriptedRun actual) {
    Policy policy = scenario.policy();
    Outcome expected = ReferenceModel.run(policy, scenario.steps(), LatenessGate.MARGIN);
    List<Result> results = InModelTerms.results(actual);

    if (policy.accumulation() == Accumulation.DISCARDING) {
      assertThat(totals(policy, results), is(totals(policy, expected.results())));
    } else {
      assertThat(values(standing(results)), is(values(standing(expected.results()))));
    }
    assertThat(finals(standing(results).keySet(), results), is(Map.of()));
    InModelTerms.assertSame(InModelTerms.tooLate(actual), expected.tooLate());
    assertConserved(scenario, expected, actual);
  }

  private static void assertConserved(Scenario scenario, Outcome expected, ScriptedRun actual) {
    long counted = actual.counters().get("counted");
    long tooLate = actual.counters().get("tooLate");
    long dropped = actual.counters().get("dropped");
    assertThat(counted, is(expected.counted()));
    assertThat(tooLate, is((long) actual.tooLate().size()));
    assertThat(dropped, is(expected.dropped()));
    assertThat(counted + tooLate + dropped, is(windowsOfEvents(scenario)));
    assertThat(actual.counters().droppedByBeam(), is(0L));
  }

  private static long windowsOfEvents(Scenario scenario) {
    return scenario.steps().stream()
        .filter(Step.Arrive.class::isInstance)
        .map(step -> ((Step.Arrive) step).event().timestamp())
        .mapToLong(time -> ReferenceWindows.of(scenario.policy().windowing(), time).size())
        .sum();
  }

  /** The last firing of each key and window, save of sessions that another has replaced. */
  private static Map<KeyedWindow, Result> standing(List<Result> results) {
    Map<KeyedWindow, Result> standing = new HashMap<>();
    results.stream()
        .filter(result -> result.kind() != Kind.RETRACTION)
        .forEach(
            result ->
                standing.merge(
                    keyed(result),
                    result,
                    (a, b) -> a.firingSequence() > b.firingSequence() ? a : b));
    results.stream()
        .filter(result -> result.kind() == Kind.RETRACTION)
        .forEach(
            result ->
                standing.computeIfPresent(
                    keyed(result),
                    (window, last) ->
                        last.firingSequence() == result.firingSequence() ? null : last));
    for (Result result : results) {
      result.supersedes().forEach(old -> standing.remove(new KeyedWindow(result.key(), old)));
    }
    return standing;
  }

  private static Map<KeyedWindow, List<@Nullable Object>> values(
      Map<KeyedWindow, Result> standing) {
    return standing.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().value()));
  }

  /**
   * What all panes of a key and window add up to. The panes of sessions that merged add up with
   * those of what they became, so the windows of sessions are not told apart.
   */
  private static Map<KeyedWindow, List<BigDecimal>> totals(Policy policy, List<Result> results) {
    boolean sessions = policy.windowing() instanceof Windowing.Sessions;
    Map<KeyedWindow, List<BigDecimal>> totals = new HashMap<>();
    for (Result result : results) {
      List<BigDecimal> value = result.value().stream().map(UpToBundles::number).toList();
      totals.merge(
          new KeyedWindow(result.key(), sessions ? Window.GLOBAL : result.window()),
          value,
          (a, b) -> IntStream.range(0, a.size()).mapToObj(i -> a.get(i).add(b.get(i))).toList());
    }
    totals.replaceAll((key, sums) -> sums.stream().map(BigDecimal::stripTrailingZeros).toList());
    return totals;
  }

  private static BigDecimal number(@Nullable Object value) {
    return value == null ? BigDecimal.ZERO : (BigDecimal) value;
  }

  /** The windows that have not exactly one FINAL, with how many they have. */
  private static Map<KeyedWindow, Long> finals(Set<KeyedWindow> windows, List<Result> results) {
    Map<KeyedWindow, Long> finals = new HashMap<>();
    windows.forEach(window -> finals.put(window, 0L));
    results.stream()
        .filter(result -> result.kind() == Kind.FINAL)
        .forEach(result -> finals.merge(keyed(result), 1L, Long::sum));
    finals.values().removeIf(count -> count == 1);
    return finals;
  }

  private static KeyedWindow keyed(Result result) {
    return new KeyedWindow(result.key(), result.window());
  }
}
