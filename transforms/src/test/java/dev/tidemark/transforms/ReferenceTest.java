package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.testkit.ReferenceModel;
import dev.tidemark.testkit.ReferenceModel.Outcome;
import dev.tidemark.testkit.ReferenceValues;
import dev.tidemark.testkit.ReferenceWindows.Window;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.transforms.lateness.LatenessGate;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** The pipeline and the reference model agree on whatever arrives, under every policy. */
class ReferenceTest {

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.any();
  }

  @Property(tries = 200)
  void resultsAndTooLateEventsAreThoseOfTheModel(@ForAll("scenarios") Scenario scenario) {
    Outcome expected = ReferenceModel.run(scenario.policy(), scenario.steps(), LatenessGate.MARGIN);
    ScriptedRun actual = ScriptedRun.of(scenario.policy(), scenario.steps());

    assertSame(
        actual.results().stream().map(ReferenceTest::inModelTerms).toList(), expected.results());
    assertSame(
        actual.tooLate().stream()
            .map(event -> new ReferenceModel.Missed(event.event(), window(event.window())))
            .toList(),
        expected.tooLate());
    assertThat(counter(actual, "droppedDueToLateness"), is(0L));
    assertThat(counter(actual, "counted"), is(expected.counted()));
  }

  /** In any order; a failure shows only what differs. */
  private static <T> void assertSame(List<T> actual, List<T> expected) {
    List<T> missing = new ArrayList<>(expected);
    List<T> surplus = new ArrayList<>(actual);
    expected.forEach(surplus::remove);
    actual.forEach(missing::remove);
    assertThat("missing " + missing, surplus, is(empty()));
    assertThat("missing", missing, is(empty()));
  }

  private static long counter(ScriptedRun run, String name) {
    return run.counters().getOrDefault(name, 0L);
  }

  private static ReferenceModel.Result inModelTerms(WindowResult result) {
    return new ReferenceModel.Result(
        result.key(),
        window(result.window()),
        ReferenceModel.Kind.valueOf(result.kind().name()),
        result.firingSequence(),
        result.value().stream().map(ReferenceTest::plain).toList(),
        result.supersedes().stream().map(ReferenceTest::window).sorted().toList());
  }

  private static @Nullable Object plain(@Nullable AggregateValue value) {
    if (value instanceof AggregateValue.Single single) {
      return ReferenceValues.plain(single.scalar());
    } else if (value instanceof AggregateValue.Ranking ranking) {
      return ranking.entries().stream()
          .map(
              entry ->
                  new ReferenceValues.Counted(ReferenceValues.plain(entry.value()), entry.count()))
          .toList();
    }
    return null;
  }

  private static Window window(@Nullable ResultWindow window) {
    return window == null ? new Window(null, null) : new Window(window.start(), window.end());
  }
}
