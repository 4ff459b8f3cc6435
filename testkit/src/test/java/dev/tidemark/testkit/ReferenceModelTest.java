package dev.tidemark.testkit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceModel.Outcome;
import dev.tidemark.testkit.ReferenceModel.Result;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Times are seconds; the value of each result is the number of its events. */
class ReferenceModelTest {
  private static final Instant ORIGIN = Instant.parse("2026-07-04T10:00:00Z");
  private static final Windowing MINUTE = new Windowing.Fixed(seconds(60), Duration.ZERO);
  private static final Windowing SESSIONS = new Windowing.Sessions(seconds(10), null);
  private static final Windowing SHORT_SESSIONS = new Windowing.Sessions(seconds(10), seconds(15));

  @ParameterizedTest
  @CsvSource({
    "59, FINAL 1 = 2", // in time: counted in the one pane
    "60, LATE_UPDATE 2 = 2", // late from the window's end on
    "89, LATE_UPDATE 2 = 2",
    "90, FINAL 1 = 1", // too late from the end of the lateness on
  })
  void anEventIsLateFromTheEndOnAndTooLateFromTheEndOfTheLatenessOn(
      int watermark, String lastResult) {
    List<String> results =
        results(policy(MINUTE, 30), at(1), watermark(watermark), at(2), watermark(120));
    assertThat(results.get(results.size() - 1), is("[0,60) " + lastResult));
  }

  @Test
  void tooLateIsJudgedForEachWindow() {
    Windowing sliding = new Windowing.Sliding(seconds(60), seconds(40), Duration.ZERO);
    Outcome outcome = run(policy(sliding, 0), watermark(60), at(50));
    assertThat(outcome.tooLate().stream().map(m -> text(m.window())).toList(), contains("[0,60)"));
    assertThat(texts(outcome), contains("[40,100) FINAL 1 = 1"));
    assertThat(outcome.counted(), is(1L));
  }

  @Test
  void droppedEventsAreOnlyCounted() {
    Policy policy =
        policy(MINUTE, 0, Trigger.DEFAULT, Accumulation.ACCUMULATING, TooLate.DROP_AND_COUNT);
    Outcome outcome = run(policy, watermark(60), at(50));
    assertThat(outcome, is(new Outcome(List.of(), List.of(), 1, 0, 1)));
  }

  @Test
  void aWindowWhoseFirstEventIsLateFiresFinalAtOnce() {
    Policy policy = policy(MINUTE, 30, new Trigger(null, count(2)), Accumulation.ACCUMULATING);
    assertThat(
        results(policy, watermark(60), at(1), at(2), at(3)),
        contains("[0,60) FINAL 1 = 1", "[0,60) LATE_UPDATE 2 = 3"));
  }

  @ParameterizedTest
  @CsvSource({"ACCUMULATING, 2", "DISCARDING, 0"})
  void theEndFiresEvenIfNothingCameSinceTheLastEarlyPane(Accumulation accumulation, int atTheEnd) {
    Policy policy = policy(MINUTE, 0, new Trigger(count(2), count(1)), accumulation);
    assertThat(
        results(policy, at(1), at(2)),
        contains("[0,60) EARLY 1 = 2", "[0,60) FINAL 2 = " + atTheEnd));
  }

  @Test
  void theGlobalWindowEndsWithTheWatermark() {
    Policy policy =
        policy(new Windowing.Global(), 0, new Trigger(count(2), count(1)), Accumulation.DISCARDING);
    assertThat(
        results(policy, at(1), watermark(1_000_000), at(2), at(3)),
        contains("global EARLY 1 = 2", "global FINAL 2 = 1"));
  }

  @Test
  void unfiredLateEventsComeOutWhenTheWindowIsClosed() {
    Policy policy = policy(MINUTE, 30, new Trigger(null, count(3)), Accumulation.DISCARDING);
    Step[] steps = {at(1), watermark(60), at(2), at(3), watermark(90), at(61), watermark(120)};
    assertThat(
        texts(ReferenceModel.run(policy, List.of(steps), Duration.ZERO)),
        contains("[0,60) FINAL 1 = 1", "[0,60) LATE_UPDATE 2 = 2", "[60,120) FINAL 1 = 1"));
    assertThat(
        texts(ReferenceModel.run(policy, List.of(steps), seconds(60))),
        contains("[0,60) FINAL 1 = 1", "[60,120) FINAL 1 = 1", "[0,60) LATE_UPDATE 2 = 2"));
  }

  @Test
  void processingTimeDoesNotPass() {
    Trigger trigger = new Trigger(new Trigger.Every(seconds(1)), new Trigger.Every(seconds(1)));
    assertThat(
        results(
            policy(MINUTE, 30, trigger, Accumulation.ACCUMULATING),
            at(1),
            at(2),
            watermark(60),
            at(3)),
        contains("[0,60) FINAL 1 = 2", "[0,60) LATE_UPDATE 2 = 3"));
  }

  @Test
  void retractingTakesBackThePaneBefore() {
    Policy policy = policy(MINUTE, 30, new Trigger(count(1), count(1)), Accumulation.RETRACTING);
    assertThat(
        results(policy, at(1), watermark(60), at(2)),
        contains(
            "[0,60) EARLY 1 = 1",
            "[0,60) RETRACTION 1 = 1",
            "[0,60) FINAL 2 = 1",
            "[0,60) RETRACTION 2 = 1",
            "[0,60) LATE_UPDATE 3 = 2"));
  }

  @Test
  void keysAreApart() {
    assertThat(run(policy(SESSIONS, 0), at("a", 0), at("b", 5)).results(), hasSize(2));
  }

  @ParameterizedTest
  @CsvSource({"9, '[0,19) FINAL 1 = 2'", "10, '[0,10) FINAL 1 = 1'"})
  void sessionsThatOnlyTouchStayApart(int second, String first) {
    assertThat(results(policy(SESSIONS, 0), at(0), at(second)).get(0), is(first));
  }

  @Test
  void aLateEventBridgesSessions() {
    assertThat(results(policy(SESSIONS, 0), at(0), at(16), at(8)), contains("[0,26) FINAL 1 = 3"));
  }

  @Test
  void aSessionIsTooLateByTheEventsOwnGap() {
    Outcome outcome = run(policy(SESSIONS, 0), at(5), at(14), watermark(13), at(3));
    assertThat(outcome.tooLate().stream().map(m -> text(m.window())).toList(), contains("[3,13)"));
    assertThat(texts(outcome), contains("[5,24) FINAL 1 = 2"));
  }

  @Test
  void aSessionThatGrewAfterItFiredSupersedesWhatItReplaced() {
    assertThat(
        results(policy(SESSIONS, 60), at(0), at(16), watermark(30), at(8)),
        contains(
            "[0,10) FINAL 1 = 1", "[16,26) FINAL 1 = 1", "[0,26) FINAL 1 = 3 for [0,10) [16,26)"));
  }

  @Test
  void aSessionThatGrewAfterItFiredWaitsForItsNewEnd() {
    Policy policy = policy(SESSIONS, 60, new Trigger(count(1), count(1)), Accumulation.RETRACTING);
    assertThat(
        results(policy, at(0), watermark(12), at(5), watermark(15)),
        contains(
            "[0,10) EARLY 1 = 1",
            "[0,10) RETRACTION 1 = 1",
            "[0,10) FINAL 2 = 1",
            "[0,10) RETRACTION 2 = 1",
            "[0,15) EARLY 1 = 2",
            "[0,15) RETRACTION 1 = 2",
            "[0,15) FINAL 2 = 2"));
  }

  @Test
  void whatIsReplacedBeforeItFiresIsHandedOn() {
    assertThat(
        results(policy(SESSIONS, 60), at(0), watermark(10), at(8), at(16)),
        contains("[0,10) FINAL 1 = 1", "[0,26) FINAL 1 = 3 for [0,10)"));
  }

  @Test
  void anEventInsideASessionLeavesItsPanesCounting() {
    Policy policy = policy(SESSIONS, 60, new Trigger(count(3), count(1)), Accumulation.DISCARDING);
    assertThat(
        results(policy, at(0), at(8), at(4), at(5), watermark(18), at(6)),
        contains("[0,18) EARLY 1 = 3", "[0,18) FINAL 2 = 1", "[0,18) LATE_UPDATE 3 = 1"));
  }

  @Test
  void discardingMergesOnlyWhatIsUnfired() {
    Policy policy = policy(SESSIONS, 60, Trigger.DEFAULT, Accumulation.DISCARDING);
    assertThat(
        results(policy, at(0), watermark(10), at(16), at(8)),
        contains("[0,10) FINAL 1 = 1", "[0,26) FINAL 1 = 2 for [0,10)"));
  }

  @Test
  void aMergeAddsUpWhatTheEarlyCadenceHasCounted() {
    Policy policy = policy(SESSIONS, 60, new Trigger(count(3), count(1)), Accumulation.DISCARDING);
    assertThat(results(policy, at(0), at(16), at(8)), hasItem("[0,26) EARLY 1 = 3"));
  }

  @Test
  void aMergeThatReopensAnEndedSessionStartsTheCountAtZero() {
    Policy policy =
        policy(SESSIONS, 60, new Trigger(count(2), count(9)), Accumulation.ACCUMULATING);
    assertThat(
        results(policy, at(0), watermark(10), at(-1), at(5), at(6)),
        contains("[0,10) FINAL 1 = 1", "[-1,16) EARLY 1 = 4 for [0,10)", "[-1,16) FINAL 2 = 4"));
  }

  @Test
  void aMergeOfEndedSessionsPastItsEndWaitsForTheLateCadence() {
    Policy policy = policy(SESSIONS, 60, new Trigger(null, count(2)), Accumulation.ACCUMULATING);
    assertThat(
        results(policy, at(0), watermark(30), at(5), at(6)),
        contains("[0,10) FINAL 1 = 1", "[0,16) FINAL 1 = 3 for [0,10)"));
  }

  @Test
  void aClosedSessionIsForgotten() {
    Step[] steps = {at(0), watermark(12), at(5)};
    Policy policy = policy(SESSIONS, 2);
    assertThat(
        texts(ReferenceModel.run(policy, List.of(steps), Duration.ZERO)),
        contains("[0,10) FINAL 1 = 1", "[5,15) FINAL 1 = 1"));
    assertThat(
        texts(ReferenceModel.run(policy, List.of(steps), seconds(60))),
        contains("[0,10) FINAL 1 = 1", "[0,15) FINAL 1 = 2 for [0,10)"));
  }

  @Test
  void anEventThatWouldMakeItsSessionTooLongStartsTheNext() {
    assertThat(
        results(policy(SHORT_SESSIONS, 0), at(0), at(5), at(6), at(15)),
        contains("[0,15) FINAL 1 = 2", "[6,16) FINAL 1 = 1", "[15,25) FINAL 1 = 1"));
  }

  @Test
  void sessionsThatWouldTogetherBeTooLongStayApart() {
    assertThat(
        results(policy(SHORT_SESSIONS, 0), at(8), at(0), at(4)),
        contains("[0,14) FINAL 1 = 2", "[8,18) FINAL 1 = 1"));
  }

  @ParameterizedTest
  @EnumSource(names = {"ACCUMULATING", "RETRACTING"})
  void theLatestViewHoldsTheLastStateOfEachSession(Accumulation accumulation) {
    Outcome outcome =
        run(
            policy(SESSIONS, 60, Trigger.DEFAULT, accumulation),
            at(0),
            at(16),
            at(100),
            watermark(30),
            at(8));
    assertThat(
        ReferenceModel.latestView(outcome.results()).entrySet().stream()
            .map(entry -> text(entry.getKey().window()) + " = " + entry.getValue().get(0))
            .toList(),
        contains("[0,26) = 3", "[100,110) = 1"));
  }

  @Test
  void nothingComesOfNothing() {
    assertThat(results(policy(MINUTE, 0), watermark(100)), empty());
  }

  private static Policy policy(Windowing windowing, int lateness) {
    return policy(windowing, lateness, Trigger.DEFAULT, Accumulation.ACCUMULATING);
  }

  private static Policy policy(
      Windowing windowing, int lateness, Trigger trigger, Accumulation accumulation) {
    return policy(windowing, lateness, trigger, accumulation, TooLate.QUARANTINE);
  }

  private static Policy policy(
      Windowing windowing,
      int lateness,
      Trigger trigger,
      Accumulation accumulation,
      TooLate tooLate) {
    return Policies.of(
        windowing,
        trigger,
        seconds(lateness),
        accumulation,
        tooLate,
        Map.of("events", new Aggregate.Count()));
  }

  private static Trigger.Cadence count(int count) {
    return new Trigger.Count(count);
  }

  private static Step at(int second) {
    return at("a", second);
  }

  private static Step at(String key, int second) {
    return new Step.Arrive(
        Arrivals.event(
            policy(MINUTE, 0),
            1,
            key,
            ORIGIN.plus(seconds(second)),
            BigDecimal.ONE,
            new Scalar.Bool(true)));
  }

  private static Step watermark(int second) {
    return new Step.Advance(ORIGIN.plus(seconds(second)));
  }

  private static Duration seconds(int seconds) {
    return Duration.standardSeconds(seconds);
  }

  private static List<String> results(Policy policy, Step... steps) {
    return texts(run(policy, steps));
  }

  private static Outcome run(Policy policy, Step... steps) {
    return ReferenceModel.run(policy, List.of(steps), Duration.ZERO);
  }

  private static List<String> texts(Outcome outcome) {
    return outcome.results().stream().map(ReferenceModelTest::text).toList();
  }

  private static String text(Result result) {
    StringBuilder text = new StringBuilder(text(result.window()));
    text.append(' ').append(result.kind()).append(' ').append(result.firingSequence());
    text.append(" = ").append(result.value().get(0));
    if (!result.supersedes().isEmpty()) {
      text.append(" for");
      result.supersedes().forEach(window -> text.append(' ').append(text(window)));
    }
    return text.toString();
  }

  private static String text(Window window) {
    return window.equals(Window.GLOBAL)
        ? "global"
        : "[" + secondsOf(window.start()) + "," + secondsOf(window.end()) + ")";
  }

  private static long secondsOf(@Nullable Instant instant) {
    return new Duration(ORIGIN, Objects.requireNonNull(instant)).getStandardSeconds();
  }
}
