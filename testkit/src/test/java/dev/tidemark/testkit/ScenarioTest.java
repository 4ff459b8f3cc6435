package dev.tidemark.testkit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.testkit.ReferenceModel.Kind;
import dev.tidemark.testkit.ReferenceModel.Outcome;
import dev.tidemark.testkit.ReferenceModel.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** What holds of every policy and script, and that the scripts reach what they are made for. */
class ScenarioTest {

  @Property(tries = 500)
  void everyPairOfEventAndWindowEndsInOnePlace(@ForAll("scenarios") Scenario scenario) {
    Outcome outcome = run(scenario);
    long pairs =
        scenario.steps().stream()
            .filter(Step.Arrive.class::isInstance)
            .map(step -> ((Step.Arrive) step).event().timestamp())
            .mapToLong(time -> ReferenceWindows.of(scenario.policy().windowing(), time).size())
            .sum();
    assertThat(outcome.counted() + outcome.tooLate().size() + outcome.dropped(), is(pairs));
  }

  @Property(tries = 500)
  void aWindowFiresEarlyThenFinalOnceThenLate(@ForAll("scenarios") Scenario scenario) {
    for (List<Result> panes : panesByWindow(run(scenario))) {
      List<Kind> kinds = panes.stream().map(Result::kind).toList();
      List<Kind> sorted = new ArrayList<>(kinds);
      sorted.sort(null);
      assertThat(kinds, is(sorted));
      assertThat(kinds.stream().filter(Kind.FINAL::equals).count() <= 1, is(true));
      assertThat(
          panes.stream().map(Result::firingSequence).toList(),
          is(LongStream.rangeClosed(1, panes.size()).boxed().toList()));
    }
  }

  @Property(tries = 500)
  void theWatermarkOnlyMovesOn(@ForAll("scenarios") Scenario scenario) {
    List<Instant> moves =
        scenario.steps().stream()
            .filter(Step.Advance.class::isInstance)
            .map(step -> ((Step.Advance) step).watermark())
            .toList();
    assertThat(moves, is(moves.stream().sorted().distinct().toList()));
  }

  @Property(tries = 500)
  void scriptsReachLateEventsAndReplacedSessions(@ForAll("scenarios") Scenario scenario) {
    Outcome outcome = run(scenario);
    Statistics.label("too late")
        .collect(!outcome.tooLate().isEmpty() || outcome.dropped() > 0)
        .coverage(coverage -> coverage.check(true).percentage(p -> p > 15));
    Statistics.label("late update")
        .collect(anyOf(outcome, Kind.LATE_UPDATE))
        .coverage(coverage -> coverage.check(true).percentage(p -> p > 10));
    Statistics.label("early")
        .collect(anyOf(outcome, Kind.EARLY))
        .coverage(coverage -> coverage.check(true).percentage(p -> p > 10));
    Statistics.label("superseded")
        .collect(outcome.results().stream().anyMatch(result -> !result.supersedes().isEmpty()))
        .coverage(coverage -> coverage.check(true).percentage(p -> p > 4));
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.any();
  }

  private static Outcome run(Scenario scenario) {
    return ReferenceModel.run(scenario.policy(), scenario.steps(), Duration.standardMinutes(1));
  }

  private static boolean anyOf(Outcome outcome, Kind kind) {
    return outcome.results().stream().anyMatch(result -> result.kind() == kind);
  }

  private static Collection<List<Result>> panesByWindow(Outcome outcome) {
    Map<List<Object>, List<Result>> panes =
        outcome.results().stream()
            .filter(result -> result.kind() != Kind.RETRACTION)
            .collect(Collectors.groupingBy(result -> List.of(result.key(), result.window())));
    return panes.values();
  }
}
