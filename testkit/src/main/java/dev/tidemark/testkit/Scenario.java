package dev.tidemark.testkit;

import dev.tidemark.policy.Policy;
import java.util.List;
import net.jqwik.api.Arbitrary;

/**
 * A policy and a script that tries its edges.
 *
 * @param policy what the pipeline is built from
 * @param steps what then arrives, in order
 */
public record Scenario(Policy policy, List<Step> steps) {

  /** Any policy, with a script made for it. */
  public static Arbitrary<Scenario> any() {
    return of(Policies.any());
  }

  /** One of the given policies, with a script made for it. */
  public static Arbitrary<Scenario> of(Arbitrary<Policy> policies) {
    // Edge cases of so many parts take longer to find than to try, and most have no steps.
    return policies
        .flatMap(policy -> Arrivals.of(policy).map(steps -> new Scenario(policy, steps)))
        .withoutEdgeCases();
  }
}
