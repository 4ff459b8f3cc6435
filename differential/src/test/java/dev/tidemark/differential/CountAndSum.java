package dev.tidemark.differential;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Policies;
import java.util.Map;
import org.joda.time.Duration;

/** Policies that count the events of {@code Arrivals} and sum their numbers. */
final class CountAndSum {
  private CountAndSum() {}

  /** Keeps what is too late. */
  static Policy of(
      Windowing windowing, Trigger trigger, Duration allowedLateness, Accumulation accumulation) {
    return Policies.of(
        windowing,
        trigger,
        allowedLateness,
        accumulation,
        TooLate.QUARANTINE,
        Map.of("count", new Aggregate.Count(), "sum", new Aggregate.Sum(new Pointer("/v"))));
  }
}
