package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.Step;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** What holds of the results of every policy, whatever arrives. */
class InvariantsTest {
  private record Place(EventKey key, @Nullable ResultWindow window) {}

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.of(Policies.any().map(InvariantsTest::ofTimes))
        .map(scenario -> new Scenario(scenario.policy(), timed(scenario.steps())));
  }

  /** The earliest and the latest time of the events that a result counts. */
  private static Policy ofTimes(Policy policy) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    aggregates.put("earliest", new Aggregate.Min(new Pointer("/v")));
    aggregates.put("latest", new Aggregate.Max(new Pointer("/v")));
    return Policies.of(
        policy.windowing(),
        policy.trigger(),
        policy.allowedLateness(),
        policy.accumulation(),
        policy.tooLate(),
        aggregates);
  }

  private static List<Step> timed(List<Step> steps) {
    return steps.stream()
        .map(
            step ->
                step instanceof Step.Arrive arrive ? new Step.Arrive(timed(arrive.event())) : step)
        .toList();
  }

  private static Event timed(Event event) {
    Scalar time = new Scalar.Num(BigDecimal.valueOf(event.timestamp().getMillis()));
    return new Event(event.key(), event.timestamp(), List.of(time, time), event.raw());
  }

  @Property(tries = 150)
  void resultsAreWellFormedAndTheirIdsTellThemApart(@ForAll("scenarios") Scenario scenario) {
    Policy policy = scenario.policy();
    List<WindowResult> results = ScriptedRun.of(policy, scenario.steps()).results();
    List<WindowResult> again = ScriptedRun.of(policy, scenario.steps()).results();

    results.forEach(InvariantsTest::assertWellFormed);
    assertThat(ids(policy, results), hasSize(results.size()));
    assertThat(ids(policy, again), is(ids(policy, results)));
    assertThat(
        finals(results).values(),
        everyItem(
            policy.windowing() instanceof Windowing.Sessions
                ? is(lessThanOrEqualTo(1L)) // one that merged may never have come to its end
                : is(1L)));
  }

  private static void assertWellFormed(WindowResult result) {
    assertThat(result.kind(), is(notNullValue()));
    assertThat(result.firingSequence(), is(greaterThanOrEqualTo(1L)));
    ResultWindow window = result.window();
    if (window == null) {
      return;
    }
    assertThat(window.start(), is(lessThan(window.end())));
    if (result.value().get(0) != null) {
      assertThat(time(result.value().get(0)), is(greaterThanOrEqualTo(window.start())));
      assertThat(time(result.value().get(1)), is(lessThan(window.end())));
    }
  }

  private static Instant time(@Nullable AggregateValue value) {
    Scalar scalar = ((AggregateValue.Single) value).scalar();
    return Instant.ofEpochMilli(((Scalar.Num) scalar).value().longValueExact());
  }

  private static Set<String> ids(Policy policy, List<WindowResult> results) {
    Set<String> ids = new HashSet<>();
    results.forEach(result -> ids.add(ResultJson.resultId(policy, result)));
    return ids;
  }

  /** How many FINAL results each key and window of the results has. */
  private static Map<Place, Long> finals(List<WindowResult> results) {
    Map<Place, Long> finals = new HashMap<>();
    for (WindowResult result : results) {
      finals.merge(
          new Place(result.key(), result.window()),
          result.kind() == ResultKind.FINAL ? 1L : 0L,
          Long::sum);
    }
    return finals;
  }
}
