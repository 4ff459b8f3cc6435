package dev.tidemark.runners.flink;

import dev.tidemark.testkit.Scenario;
import dev.tidemark.transforms.ScriptedRun;
import dev.tidemark.transforms.UpToBundles;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Flink comes to what the reference model comes to, whatever arrives, under every policy. Not pane
 * by pane: a timer that fires begins a bundle, and the watermark waits for the bundle's end.
 */
class RandomArrivalsTest {

  @Provide
  Arbitrary<Scenario> scenarios() {
    return UpToBundles.scenarios();
  }

  @Property(tries = 40)
  void windowsComeToWhatTheyComeToInTheModel(@ForAll("scenarios") Scenario scenario) {
    UpToBundles.assertSame(scenario, ScriptedRun.of(scenario.policy(), scenario.steps()));
  }
}
