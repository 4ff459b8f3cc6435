package dev.tidemark.differential;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Arrivals;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.ReferenceModel.Missed;
import dev.tidemark.testkit.ReferenceWindows;
import dev.tidemark.testkit.ReferenceWindows.Window;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.Step;
import dev.tidemark.transforms.ResultKind;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * Tidemark and native Flink agree on whatever arrives, firing by firing. Flink's windows fire at
 * their end and for each late event, which is the default trigger here; its purging trigger is the
 * discarding mode. It does not retract: retractions are left out of the comparison.
 *
 * <p>The last tests state where the two differ by design.
 */
class FlinkTest {
  private static final Set<ResultKind> FIRINGS =
      EnumSet.of(ResultKind.EARLY, ResultKind.FINAL, ResultKind.LATE_UPDATE);
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");

  @Provide
  Arbitrary<Scenario> fixedAndSliding() {
    return Scenario.of(
        Arbitraries.oneOf(Policies.fixed(), Policies.sliding())
            .flatMap(Policies::over)
            .map(
                policy ->
                    CountAndSum.of(
                        policy.windowing(),
                        Trigger.DEFAULT,
                        policy.allowedLateness(),
                        policy.accumulation())));
  }

  @Property(tries = 200)
  void fixedAndSlidingWindowsFireTheSameAndMissTheSame(@ForAll("fixedAndSliding") Scenario scenario)
      throws Exception {
    Policy policy = scenario.policy();
    FlinkRun flink = FlinkRun.of(policy, scenario.steps());
    TidemarkRun tidemark = TidemarkRun.of(policy, scenario.steps());
    List<Missed> missed = Pane.missed(policy, flink.events(), flink.panes());

    assertSame(tidemark.firings(FIRINGS), Pane.firings(policy, flink.panes()));
    assertThat(tidemark.tooLate(), containsInAnyOrder(missed.toArray(Missed[]::new)));
    assertThat(flink.late(), is(missedByAll(policy, flink.events(), tidemark.tooLate())));
  }

  @Provide
  Arbitrary<Scenario> globalWithCount() {
    return Scenario.of(
        Policies.over(new Windowing.Global())
            .filter(policy -> policy.trigger().early() instanceof Trigger.Count)
            .map(
                policy ->
                    CountAndSum.of(
                        policy.windowing(),
                        policy.trigger(),
                        policy.allowedLateness(),
                        policy.accumulation())));
  }

  @Property(tries = 50)
  void theGlobalWindowFiresTheSameByCount(@ForAll("globalWithCount") Scenario scenario)
      throws Exception {
    Policy policy = scenario.policy();
    FlinkRun flink = FlinkRun.of(policy, scenario.steps());
    TidemarkRun tidemark = TidemarkRun.of(policy, scenario.steps());

    assertSame(tidemark.firings(EnumSet.of(ResultKind.EARLY)), Pane.firings(policy, flink.panes()));
    assertThat(tidemark.tooLate(), is(empty()));
    assertThat(flink.late(), is(empty()));
  }

  /** Flink's global window has no end; Tidemark's ends with the input, and then fires FINAL. */
  @Test
  void theEndOfTheInputEndsTheGlobalWindowInTidemarkOnly() throws Exception {
    Policy policy =
        CountAndSum.of(
            new Windowing.Global(),
            new Trigger(new Trigger.Count(2), Trigger.DEFAULT.late()),
            Duration.ZERO,
            Accumulation.ACCUMULATING);
    List<Event> events = List.of(event(policy, 1, 0), event(policy, 2, 0), event(policy, 3, 0));
    List<Step> steps = events.stream().<Step>map(Step.Arrive::new).toList();
    Pane byCount = new Pane(Window.GLOBAL, events.subList(0, 2));
    Pane atTheEnd = new Pane(Window.GLOBAL, events);

    assertThat(FlinkRun.of(policy, steps).panes(), contains(byCount));
    assertSame(
        TidemarkRun.of(policy, steps).firings(FIRINGS),
        Pane.firings(policy, List.of(byCount, atTheEnd)));
  }

  /** Flink's side output has only what missed every window; the too-late lane has each miss. */
  @Test
  void anEventThatMissedOnlySomeOfItsWindowsIsNotInTheSideOutputOfFlink() throws Exception {
    Policy policy = policy(new Windowing.Sliding(seconds(10), seconds(4), Duration.ZERO));
    Event event = event(policy, 1, 2);
    List<Step> steps = List.of(new Step.Advance(at(7)), new Step.Arrive(event));

    assertThat(FlinkRun.of(policy, steps).late(), is(empty()));
    assertThat(TidemarkRun.of(policy, steps).tooLate(), contains(missed(event, -4, 6)));
  }

  /** Flink judges the session that the event joins; Tidemark, as Beam, the event's own. */
  @Test
  void anEventBehindTheWatermarkJoinsAnOpenSessionInFlinkOnly() throws Exception {
    Policy policy = policy(new Windowing.Sessions(seconds(10), null));
    Event first = event(policy, 1, 0);
    Event second = event(policy, 2, 8);
    Event behind = event(policy, 3, 3);
    List<Step> steps =
        List.of(
            new Step.Arrive(first),
            new Step.Arrive(second),
            new Step.Advance(at(15)),
            new Step.Arrive(behind));

    FlinkRun flink = FlinkRun.of(policy, steps);
    assertThat(flink.panes(), contains(new Pane(window(0, 18), List.of(first, second, behind))));
    assertThat(flink.late(), is(empty()));

    TidemarkRun tidemark = TidemarkRun.of(policy, steps);
    assertSame(
        tidemark.firings(FIRINGS),
        Pane.firings(policy, List.of(new Pane(window(0, 18), List.of(first, second)))));
    assertThat(tidemark.tooLate(), contains(missed(behind, 3, 13)));
  }

  /** A gap of exactly the policy's gap ends a session in Tidemark, as in Beam; not in Flink. */
  @Test
  void eventsOneGapApartAreOneSessionInFlinkOnly() throws Exception {
    Policy policy = policy(new Windowing.Sessions(seconds(10), null));
    Event first = event(policy, 1, 0);
    Event second = event(policy, 2, 10);
    List<Step> steps = List.of(new Step.Arrive(first), new Step.Arrive(second));

    assertThat(
        FlinkRun.of(policy, steps).panes(),
        contains(new Pane(window(0, 20), List.of(first, second))));
    assertSame(
        TidemarkRun.of(policy, steps).firings(FIRINGS),
        Pane.firings(
            policy,
            List.of(
                new Pane(window(0, 10), List.of(first)),
                new Pane(window(10, 20), List.of(second)))));
  }

  private static void assertSame(List<Firing> tidemark, List<Firing> other) {
    assertThat(tidemark, containsInAnyOrder(other.toArray(Firing[]::new)));
  }

  /** The events that are in the lane once for each of their windows. */
  private static List<Event> missedByAll(Policy policy, List<Event> events, List<Missed> lane) {
    return events.stream()
        .filter(
            event ->
                ReferenceWindows.of(policy.windowing(), event.timestamp()).stream()
                    .allMatch(window -> lane.contains(new Missed(event, window))))
        .toList();
  }

  private static Policy policy(Windowing windowing) {
    return CountAndSum.of(windowing, Trigger.DEFAULT, Duration.ZERO, Accumulation.ACCUMULATING);
  }

  private static Event event(Policy policy, long line, int second) {
    return Arrivals.event(
        policy, line, "a", at(second), BigDecimal.valueOf(line), new Scalar.Bool(true));
  }

  private static Missed missed(Event event, int start, int end) {
    return new Missed(event, window(start, end));
  }

  private static Window window(int start, int end) {
    return new Window(at(start), at(end));
  }

  private static Instant at(int second) {
    return START.plus(seconds(second));
  }

  private static Duration seconds(int seconds) {
    return Duration.standardSeconds(seconds);
  }
}
