package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.testkit.ReferenceModel;
import dev.tidemark.testkit.ReferenceModel.Kind;
import dev.tidemark.testkit.ReferenceModel.Outcome;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.transforms.lateness.LatenessGate;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The pipeline and the reference model agree on whatever arrives, under every policy. */
class ReferenceTest {

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.any();
  }

  @Property(tries = 1_200)
  void resultsAndTooLateEventsAreThoseOfTheModel(@ForAll("scenarios") Scenario scenario) {
    Outcome expected = ReferenceModel.run(scenario.policy(), scenario.steps(), LatenessGate.MARGIN);
    ScriptedRun actual = ScriptedRun.of(scenario.policy(), scenario.steps());

    InModelTerms.assertSame(InModelTerms.results(actual), expected.results());
    InModelTerms.assertSame(InModelTerms.tooLate(actual), expected.tooLate());
    assertThat(actual.counters().droppedByBeam(), is(0L));
    assertThat(actual.counters().get("counted"), is(expected.counted()));
    assertThat(actual.counters().get("dropped"), is(expected.dropped()));
    for (Kind kind : List.of(Kind.EARLY, Kind.FINAL, Kind.LATE_UPDATE)) {
      assertThat(
          actual.counters().get("panes." + kind),
          is(expected.results().stream().filter(result -> result.kind() == kind).count()));
    }
  }
}
