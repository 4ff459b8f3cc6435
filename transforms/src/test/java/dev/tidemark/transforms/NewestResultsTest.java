package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.event.EventKey;
import dev.tidemark.testkit.ReferenceModel;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.transforms.lateness.LatenessGate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** The newest results are those of the model's latest view, in whatever order results come. */
class NewestResultsTest {

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.any();
  }

  @Property(tries = 200)
  void theViewIsTheSameInEveryOrderAndWithResultsThatComeTwice(
      @ForAll("scenarios") Scenario scenario, @ForAll long seed) {
    List<WindowResult> results =
        new ArrayList<>(ScriptedRun.of(scenario.policy(), scenario.steps()).results());
    Random random = new Random(seed);
    results.addAll(results.stream().filter(result -> random.nextInt(4) == 0).toList());
    Collections.shuffle(results, random);

    assertThat(
        view(results),
        is(
            ReferenceModel.latestView(
                ReferenceModel.run(scenario.policy(), scenario.steps(), LatenessGate.MARGIN)
                    .results())));
  }

  @Example
  void aRetractionThatNothingReplacesLeavesNothingWhicheverComesFirst() {
    WindowResult firing = result(ResultKind.FINAL, 2);
    WindowResult retraction = result(ResultKind.RETRACTION, 2);
    assertThat(last(firing, retraction), is(nullValue()));
    assertThat(last(retraction, firing), is(nullValue()));
  }

  @Example
  void aRetractionOfAnOlderFiringChangesNothing() {
    WindowResult newer = result(ResultKind.LATE_UPDATE, 3);
    assertThat(last(newer, result(ResultKind.RETRACTION, 2)), is(newer));
  }

  /** What the window's value is in the end. */
  private static @Nullable WindowResult last(WindowResult... results) {
    NewestResults newest = new NewestResults(Map.of());
    WindowResult last = null;
    for (WindowResult result : results) {
      Map<@Nullable ResultWindow, @Nullable WindowResult> changes = newest.take(result);
      last = changes.containsKey(result.window()) ? changes.get(result.window()) : last;
    }
    return last;
  }

  private static WindowResult result(ResultKind kind, long firingSequence) {
    Instant start = Instant.parse("2026-07-04T10:00:00Z");
    return new WindowResult(
        new EventKey(List.of()),
        new ResultWindow(start, start.plus(Duration.standardMinutes(5))),
        kind,
        firingSequence,
        false,
        null,
        start,
        List.of(),
        List.of(),
        null,
        List.of());
  }

  private static Map<ReferenceModel.KeyedWindow, List<@Nullable Object>> view(
      List<WindowResult> results) {
    Map<ReferenceModel.KeyedWindow, List<@Nullable Object>> view = new HashMap<>();
    Map<EventKey, Map<@Nullable ResultWindow, Long>> remembered = new HashMap<>();
    for (WindowResult result : results) {
      NewestResults newest =
          new NewestResults(remembered.getOrDefault(result.key(), new HashMap<>()));
      newest
          .take(result)
          .forEach(
              (window, now) -> {
                ReferenceModel.KeyedWindow row =
                    new ReferenceModel.KeyedWindow(result.key(), InModelTerms.window(window));
                if (now == null) {
                  view.remove(row);
                } else {
                  view.put(row, InModelTerms.result(now).value());
                }
              });
      remembered.put(result.key(), newest.ranks());
    }
    return view;
  }
}
