package dev.tidemark.transforms.reconcile;

import static dev.tidemark.transforms.ResultKind.CORRECTION;
import static dev.tidemark.transforms.ResultKind.EARLY;
import static dev.tidemark.transforms.ResultKind.FINAL;
import static dev.tidemark.transforms.ResultKind.LATE_UPDATE;
import static dev.tidemark.transforms.ResultKind.RETRACTION;
import static dev.tidemark.transforms.reconcile.ResultLines.window;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.policy.PolicyException;
import dev.tidemark.transforms.ResultWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class StandingResultsTest {
  private static final String FIXED = "fixed: {size: 1m}";
  private static final String SESSIONS = "sessions: {gap: 1m}";
  private static final ResultWindow WINDOW = window(0, 1);

  @Test
  void theHighestFiringStands() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "accumulating");
    ResultLine last = lines.line(WINDOW, LATE_UPDATE, 3);
    assertThat(
        StandingResults.of(
            List.of(last, lines.line(WINDOW, EARLY, 1), lines.line(WINDOW, FINAL, 2))),
        is(Map.of(WINDOW, List.of(last))));
  }

  @Test
  void aFiringIsVoidOnceItIsRetracted() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "retracting");
    ResultLine first = lines.line(WINDOW, FINAL, 1);
    ResultLine second = lines.line(WINDOW, LATE_UPDATE, 2);
    assertThat(
        StandingResults.of(List.of(lines.line(WINDOW, RETRACTION, 2), second, first)),
        is(Map.of(WINDOW, List.of(first))));
  }

  @Test
  void whatIsRetractedToNothingHasNoRow() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "retracting");
    assertThat(
        StandingResults.of(
            List.of(lines.line(WINDOW, RETRACTION, 1), lines.line(WINDOW, FINAL, 1))),
        is(Map.of()));
  }

  @Test
  void aCorrectionStandsInPlaceOfWhatItCorrects() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "accumulating");
    ResultLine pane = lines.line(WINDOW, FINAL, 1);
    ResultLine correction = lines.line(WINDOW, CORRECTION, 3, pane.resultId());
    assertThat(
        StandingResults.of(List.of(correction, pane)), is(Map.of(WINDOW, List.of(correction))));
  }

  @Test
  void ofOneFiringTheCorrectionStands() throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "accumulating");
    ResultLine correction = lines.line(WINDOW, CORRECTION, 2);
    assertThat(
        StandingResults.of(List.of(correction, lines.line(WINDOW, LATE_UPDATE, 2))),
        is(Map.of(WINDOW, List.of(correction))));
  }

  @Test
  void discardedPanesStandTogetherWithTheLastCorrectionAndWithoutWhatItCorrects()
      throws PolicyException {
    ResultLines lines = ResultLines.of(FIXED, "discarding");
    ResultLine first = lines.line(WINDOW, FINAL, 1);
    ResultLine second = lines.line(WINDOW, LATE_UPDATE, 2);
    ResultLine older = lines.line(WINDOW, CORRECTION, 3, first.resultId());
    ResultLine newer = lines.line(WINDOW, CORRECTION, 4, first.resultId());
    assertThat(
        StandingResults.of(List.of(newer, second, first, older)),
        is(Map.of(WINDOW, List.of(second, newer))));
  }

  @Test
  void aSessionInsideAnotherIsPartOfIt() throws PolicyException {
    ResultLines lines = ResultLines.of(SESSIONS, "accumulating");
    ResultLine whole = lines.line(window(0, 5), FINAL, 1);
    ResultLine apart = lines.line(window(4, 6), FINAL, 1);
    assertThat(
        StandingResults.of(
            List.of(
                lines.line(window(1, 2), FINAL, 7),
                apart,
                lines.line(window(0, 2), FINAL, 1),
                whole,
                lines.line(window(3, 5), FINAL, 1))),
        is(Map.of(window(0, 5), List.of(whole), window(4, 6), List.of(apart))));
  }

  @Test
  void discardedPanesOfMergedSessionsStandTogether() throws PolicyException {
    ResultLines lines = ResultLines.of(SESSIONS, "discarding");
    ResultLine before = lines.line(window(0, 1), FINAL, 2);
    ResultLine after = lines.line(window(0, 2), FINAL, 1);
    assertThat(
        StandingResults.of(List.of(after, before)),
        is(Map.of(window(0, 2), List.of(before, after))));
  }

  @Test
  void onlySessionsMerge() throws PolicyException {
    ResultLines lines = ResultLines.of("sliding: {size: 2m, every: 1m}", "accumulating");
    ResultLine inner = lines.line(window(0, 1), FINAL, 1);
    ResultLine outer = lines.line(window(0, 2), FINAL, 1);
    assertThat(
        StandingResults.of(List.of(inner, outer)),
        is(Map.of(window(0, 1), List.of(inner), window(0, 2), List.of(outer))));
  }

  @Property(tries = 500)
  void neitherOrderNorDuplicationMatters(@ForAll Random random) throws PolicyException {
    String accumulation = List.of("accumulating", "discarding").get(random.nextInt(2));
    String windows = List.of(FIXED, SESSIONS).get(random.nextInt(2));
    ResultLines lines = ResultLines.of(windows, accumulation);
    List<ResultLine> trail = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      int from = random.nextInt(3);
      ResultWindow window = window(from, from + 1 + random.nextInt(3));
      var kind = List.of(EARLY, FINAL, RETRACTION, CORRECTION).get(random.nextInt(4));
      String[] corrects =
          trail.isEmpty() || kind != CORRECTION
              ? new String[0]
              : new String[] {trail.get(random.nextInt(trail.size())).resultId()};
      trail.add(lines.line(window, kind, 1 + random.nextInt(4), corrects));
    }
    List<ResultLine> shuffled = new ArrayList<>(trail);
    trail.stream().filter(line -> random.nextBoolean()).forEach(shuffled::add);
    Collections.shuffle(shuffled, random);
    assertThat(StandingResults.of(shuffled), is(StandingResults.of(trail)));
  }
}
