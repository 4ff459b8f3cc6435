package dev.tidemark.differential;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.ReferenceModel.KeyedWindow;
import dev.tidemark.testkit.ReferenceModel.Missed;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.Step;
import dev.tidemark.transforms.ResultKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tidemark and Kafka Streams agree on the last value of each window and on what missed it.
 *
 * <p>Kafka Streams has no watermark but stream time, the highest timestamp so far, and drops a
 * record for a window once stream time has come to the window's end plus its grace period. So the
 * watermark here moves to the highest timestamp after each event, with nothing taken off or added.
 *
 * <p>By design the two differ in when they speak. Kafka Streams gives either an update for each
 * event, or one result when the grace period is over; Tidemark gives FINAL at the window's end, and
 * a LATE_UPDATE for each late event. And stream time stops with the last event: a window that is
 * open then gives no result behind {@code suppress}, where Tidemark's watermark goes on to
 * infinity.
 */
class KafkaStreamsTest {

  @Provide
  Arbitrary<Scenario> hopping() {
    return Scenario.of(
        Policies.sliding()
            .map(windowing -> (Windowing.Sliding) windowing)
            .map(s -> new Windowing.Sliding(s.size(), s.every(), Duration.ZERO))
            .flatMap(Policies::over)
            .map(
                policy ->
                    CountAndSum.of(
                        policy.windowing(),
                        Trigger.DEFAULT,
                        policy.allowedLateness(),
                        Accumulation.ACCUMULATING)));
  }

  @Property(tries = 150)
  void hoppingWindowsEndWithTheSameValuesAndMissTheSame(@ForAll("hopping") Scenario scenario) {
    Policy policy = scenario.policy();
    List<Event> events = events(scenario.steps());
    KafkaStreamsRun kafka = KafkaStreamsRun.of(policy, events);
    TidemarkRun tidemark = TidemarkRun.of(policy, byStreamTime(events));
    Map<KeyedWindow, List<@Nullable Object>> last =
        Firing.last(tidemark.firings(EnumSet.of(ResultKind.FINAL, ResultKind.LATE_UPDATE)));
    List<Missed> missed = Pane.missed(policy, events, kafka.updates());

    assertThat(last, is(Firing.last(Pane.firings(policy, kafka.updates()))));
    assertThat(tidemark.tooLate(), containsInAnyOrder(missed.toArray(Missed[]::new)));
    assertThat(kafka.dropped(), is((long) missed.size()));
    assertThat(
        Pane.firings(policy, kafka.finals()),
        containsInAnyOrder(closed(policy, last, streamTime(events)).toArray(Firing[]::new)));
  }

  private static List<Event> events(List<Step> steps) {
    return steps.stream()
        .filter(step -> step instanceof Step.Arrive)
        .map(step -> ((Step.Arrive) step).event())
        .toList();
  }

  private static List<Step> byStreamTime(List<Event> events) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      steps.add(new Step.Arrive(events.get(i)));
      steps.add(new Step.Advance(streamTime(events.subList(0, i + 1))));
    }
    return steps;
  }

  private static Instant streamTime(List<Event> events) {
    return events.stream()
        .map(Event::timestamp)
        .max(Instant::compareTo)
        .orElse(Instant.ofEpochMilli(Long.MIN_VALUE));
  }

  /** The windows that are closed by now, each as the one firing that {@code suppress} gives. */
  private static List<Firing> closed(
      Policy policy, Map<KeyedWindow, List<@Nullable Object>> last, Instant streamTime) {
    return last.entrySet().stream()
        .filter(entry -> !closing(policy, entry.getKey()).isAfter(streamTime))
        .map(entry -> new Firing(entry.getKey(), 1, entry.getValue()))
        .toList();
  }

  private static Instant closing(Policy policy, KeyedWindow window) {
    return Objects.requireNonNull(window.window().end()).plus(policy.allowedLateness());
  }
}
