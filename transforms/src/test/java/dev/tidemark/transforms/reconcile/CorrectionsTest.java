package dev.tidemark.transforms.reconcile;

import static dev.tidemark.transforms.ResultKind.CORRECTION;
import static dev.tidemark.transforms.ResultKind.FINAL;
import static dev.tidemark.transforms.ResultKind.LATE_UPDATE;
import static dev.tidemark.transforms.ResultKind.RETRACTION;
import static dev.tidemark.transforms.reconcile.ResultLines.tooLate;
import static dev.tidemark.transforms.reconcile.ResultLines.window;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.event.Event;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

/** The value of each line is its firing sequence, and the aggregate counts. */
class CorrectionsTest {
  private static final String FIXED = "fixed: {size: 1m}";
  private static final String SESSIONS = "sessions: {gap: 1m}";
  private static final ResultWindow WINDOW = window(0, 1);
  private static final Instant NOW = Instant.parse("2026-07-05T00:00:00Z");

  @Test
  void eachMissedEventCountsOnceOnTopOfTheLastFiring() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "accumulating");
    ResultLine last = lines.line(WINDOW, LATE_UPDATE, 2);

    WindowResult correction =
        only(
            corrections(
                lines,
                List.of(lines.line(WINDOW, FINAL, 1), last, last),
                List.of(tooLate(1, 0, 1), tooLate(2, 0, 1), tooLate(1, 0, 1))));

    assertThat(shown(correction), is("CORRECTION 10:00-10:01 4 n=4"));
    assertThat(correction.corrects(), contains(last.resultId()));
    assertThat(correction.watermark(), is(WINDOW.end()));
    assertThat(correction.computedAt(), is(NOW));
  }

  @Test
  void recordsThatAStepOfBeamFailedOnAreToldApartByTheirBytes() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "accumulating");
    List<TooLateEvent> missed =
        List.of(ofAttempt("a"), ofAttempt("b"), ofAttempt("a")); // of one step
    assertThat(
        shown(only(corrections(lines, List.of(), missed))), is("CORRECTION 10:00-10:01 2 n=2"));
  }

  @Test
  void aWindowThatNeverFiredIsCorrectedFromNothing() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "accumulating");
    WindowResult correction = only(corrections(lines, List.of(), List.of(tooLate(1, 0, 1))));
    assertThat(shown(correction), is("CORRECTION 10:00-10:01 1 n=1"));
    assertThat(correction.corrects(), is(empty()));
  }

  @Test
  void panesThatAddUpAreAllCounted() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "discarding");
    List<ResultLine> panes =
        List.of(lines.line(WINDOW, FINAL, 1), lines.line(WINDOW, LATE_UPDATE, 2));
    WindowResult correction = only(corrections(lines, panes, List.of(tooLate(1, 0, 1))));
    assertThat(shown(correction), is("CORRECTION 10:00-10:01 3 n=4"));
    assertThat(correction.corrects(), is(panes.stream().map(ResultLine::resultId).toList()));
  }

  @Test
  void aWindowThatIsCorrectedAlreadyIsLeftAlone() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "accumulating");
    ResultLine pane = lines.line(WINDOW, FINAL, 1);
    ResultLine correction = lines.line(WINDOW, CORRECTION, 2, pane.resultId());
    assertThat(
        corrections(lines, List.of(pane, correction), List.of(tooLate(1, 0, 1))), is(empty()));
  }

  @Test
  void aNewerCorrectionStandsAloneEvenWhereTheOlderIsLost() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "discarding");
    ResultLine pane = lines.line(WINDOW, FINAL, 1);
    ResultLine older = lines.line(WINDOW, CORRECTION, 2, pane.resultId());
    ResultLine newer =
        reread(
            lines,
            only(
                corrections(
                    lines, List.of(pane, older), List.of(tooLate(1, 0, 1), tooLate(2, 0, 1)))));
    for (List<ResultLine> trail : List.of(List.of(pane, older, newer), List.of(pane, newer))) {
      assertThat(StandingResults.of(trail).get(WINDOW), contains(newer));
    }
  }

  @Test
  void whatStandsIsTakenBackFirst() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "retracting");
    List<ResultLine> trail =
        new ArrayList<>(
            List.of(
                lines.line(WINDOW, FINAL, 1),
                lines.line(WINDOW, RETRACTION, 1),
                lines.line(WINDOW, LATE_UPDATE, 2)));

    List<WindowResult> first = corrections(lines, trail, List.of(tooLate(1, 0, 1))).get(0);
    first.forEach(result -> trail.add(reread(lines, result)));
    List<WindowResult> second =
        corrections(lines, trail, List.of(tooLate(1, 0, 1), tooLate(2, 0, 1))).get(0);

    assertThat(
        first.stream().map(CorrectionsTest::shown).toList(),
        contains("RETRACTION 10:00-10:01 2 n=2", "CORRECTION 10:00-10:01 3 n=3"));
    assertThat(
        second.stream().map(CorrectionsTest::shown).toList(),
        contains("RETRACTION 10:00-10:01 3 n=3", "CORRECTION 10:00-10:01 4 n=4"));
  }

  @Test
  void aLaneThatHasShrunkIsRefused() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "accumulating");
    List<ResultLine> trail =
        List.of(lines.line(WINDOW, FINAL, 1), lines.line(WINDOW, CORRECTION, 3));
    UnusableTrailException refused =
        assertThrows(
            UnusableTrailException.class,
            () -> corrections(lines, trail, List.of(tooLate(1, 0, 1))));
    assertThat(refused.getMessage(), containsString("counts more events"));
  }

  @Test
  void sessionsMergeWithWhatTheyMissed() throws PolicyException {
    ResultLines lines = ResultLines.of(SESSIONS, "accumulating");
    List<ResultLine> trail =
        List.of(
            lines.line(window(0, 2), FINAL, 2),
            lines.line(window(3, 5), FINAL, 3),
            lines.line(window(5, 6), FINAL, 1));
    WindowResult correction = only(corrections(lines, trail, List.of(tooLate(1, 1, 4))));
    assertThat(shown(correction), is("CORRECTION 10:00-10:05 4 n=6"));
    assertThat(correction.supersedes(), contains(window(0, 2), window(3, 5)));
    assertThat(correction.corrects(), contains(trail.get(0).resultId(), trail.get(1).resultId()));
  }

  @Test
  void mergedSessionsAreTakenBackInRetractingMode() throws PolicyException {
    ResultLines lines = ResultLines.of(SESSIONS, "retracting");
    List<ResultLine> trail =
        List.of(lines.line(window(0, 2), FINAL, 2), lines.line(window(3, 5), FINAL, 3));
    assertThat(
        corrections(lines, trail, List.of(tooLate(1, 1, 4))).get(0).stream()
            .map(CorrectionsTest::shown)
            .toList(),
        contains(
            "RETRACTION 10:00-10:02 2 n=2",
            "RETRACTION 10:03-10:05 3 n=3",
            "CORRECTION 10:00-10:05 4 n=6"));
  }

  @Test
  void aSessionThatStartedInsideAClosedOneIsMergedWithIt() throws PolicyException {
    ResultLines lines = ResultLines.of(SESSIONS, "accumulating");
    List<ResultLine> trail =
        List.of(lines.line(window(0, 2), FINAL, 2), lines.line(window(1, 3), FINAL, 1));
    WindowResult correction = only(corrections(lines, trail, List.of()));
    assertThat(shown(correction), is("CORRECTION 10:00-10:03 2 n=3"));
    assertThat(
        corrections(
            lines, List.of(trail.get(0), trail.get(1), reread(lines, correction)), List.of()),
        is(empty()));
  }

  @Test
  void whatMissedNothingIsLeftAlone() throws PolicyException {
    ResultLines lines = ResultLines.of(SESSIONS, "accumulating");
    List<ResultLine> trail =
        List.of(
            lines.line(window(0, 2), FINAL, 2),
            lines.line(window(0, 3), FINAL, 1),
            lines.line(window(3, 4), FINAL, 1));
    assertThat(corrections(lines, trail, List.of()), is(empty()));
  }

  private static List<List<WindowResult>> corrections(
      ResultLines lines, List<ResultLine> trail, List<TooLateEvent> tooLate) {
    return Corrections.of(lines.policy(), ResultLines.KEY, trail, tooLate, NOW);
  }

  private static TooLateEvent ofAttempt(String record) {
    RawRecord raw =
        new RawRecord(
            record.getBytes(StandardCharsets.UTF_8), new Origin.Attempt("reading"), WINDOW.start());
    return new TooLateEvent(
        new Event(ResultLines.KEY, WINDOW.start(), Collections.singletonList(null), raw), WINDOW);
  }

  private static WindowResult only(List<List<WindowResult>> corrections) {
    assertThat(corrections.size(), is(1));
    assertThat(corrections.get(0).size(), is(1));
    return corrections.get(0).get(0);
  }

  private static ResultLine reread(ResultLines lines, WindowResult result) {
    return ResultLine.parse(ResultJson.line(lines.policy(), result));
  }

  private static String shown(WindowResult result) {
    AggregateValue.Single count = (AggregateValue.Single) result.value().get(0);
    ResultWindow window = result.window();
    return "%s %s-%s %d n=%s"
        .formatted(
            result.kind(),
            window.start().toString().substring(11, 16),
            window.end().toString().substring(11, 16),
            result.firingSequence(),
            ((Scalar.Num) count.scalar()).value());
  }
}
