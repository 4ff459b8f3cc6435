package dev.tidemark.pipelines.run;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConservationTest {
  private static final String FIXED = "fixed: {size: 1m}";
  private static final String SLIDING = "sliding: {size: 150s, every: 60s}";

  @ParameterizedTest
  @CsvSource({
    // window, read, events, dead letters, assigned, counted, too late, dropped
    "'fixed: {size: 1m}', 10, 8, 2, 0, 8, 0, 0",
    "'fixed: {size: 1m}', 10, 8, 2, 8, 5, 2, 1",
    "'sliding: {size: 2m, every: 1m}', 10, 10, 0, 20, 18, 2, 0",
    "'sliding: {size: 150s, every: 60s}', 10, 10, 0, 0, 25, 0, 0",
  })
  void everyRecordInOnePlaceIsBalanced(
      String window,
      long read,
      long events,
      long deadLetters,
      long assigned,
      long counted,
      long tooLate,
      long dropped)
      throws PolicyException {
    Map<String, Long> counters =
        Map.of(
            "read", read,
            "events", events,
            "deadLetters", deadLetters,
            "assigned", assigned,
            "counted", counted,
            "tooLate", tooLate,
            "dropped", dropped);
    assertThat(Conservation.imbalances(policy(window), new Counts(counters)), is(empty()));
  }

  @Test
  void aRecordThatIsNeitherEventNorDeadLetterIsMissed() throws PolicyException {
    assertThat(
        Conservation.imbalances(policy(FIXED), balancedBut("read", 11)),
        contains("m: 11 records read, but 8 events and 2 dead letters"));
  }

  @Test
  void anEventThatIsNowhereIsMissed() throws PolicyException {
    assertThat(
        Conservation.imbalances(policy(FIXED), balancedBut("counted", 7)),
        contains(
            "m: 8 events, but 7 counted, 0 too late and 0 dropped, for each of their windows"));
  }

  @Test
  void aWindowThatTheGateSawAndNobodyHasIsMissed() throws PolicyException {
    Counts counts = new Counts(Map.of("read", 4L, "events", 4L, "assigned", 10L, "counted", 9L));
    assertThat(
        Conservation.imbalances(policy(SLIDING), counts),
        contains(
            "m: 4 events, but 9 counted, 0 too late and 0 dropped, for each of their windows"));
  }

  @Test
  void whatTheRunnerDropsIsMissed() throws PolicyException {
    assertThat(
        Conservation.imbalances(policy(FIXED), balancedBut("droppedByRunner", 3)),
        contains("m: the runner dropped 3 for being late"));
  }

  private static Counts balancedBut(String counter, long value) {
    Map<String, Long> counters =
        new HashMap<>(Map.of("read", 10L, "events", 8L, "deadLetters", 2L, "counted", 8L));
    counters.put(counter, value);
    return new Counts(counters);
  }

  private static Policy policy(String window) throws PolicyException {
    return PolicyLoader.parse(
        """
        metric: m
        version: "1"
        timestamp: /t
        key: {}
        window: {%s}
        aggregates: {n: count}
        """
            .formatted(window),
        "policy.yaml");
  }
}
