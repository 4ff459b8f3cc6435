package dev.tidemark.transforms;

import dev.tidemark.testkit.Scenario;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** How arrivals are bundled does not show in what a window comes to. */
class BundleSplitsTest {

  @Provide
  Arbitrary<Scenario> scenarios() {
    return UpToBundles.scenarios();
  }

  @Property(tries = 900)
  void bundlesOfArrivalsComeToWhatSingleArrivalsComeTo(
      @ForAll("scenarios") Scenario scenario, @ForAll @IntRange(min = 2, max = 6) int bundle) {
    UpToBundles.assertSame(scenario, ScriptedRun.of(scenario.policy(), scenario.steps(), bundle));
  }
}
