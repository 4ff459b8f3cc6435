package dev.tidemark.pipelines.run;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProgressTest {
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");

  private final StringWriter shown = new StringWriter();

  @Test
  void elsewhereThanOnATerminalALineComesEveryFiveSeconds() {
    play(new Progress(new PrintWriter(shown), false, START));
    assertThat(
        shown.toString().lines().toList(),
        is(
            List.of(
                "5s: 5,000 events, 1,000/s; 0 panes; 0 dead letters; 0 too late",
                "10s: 10,000 events, 1,000/s; 0 panes; 0 dead letters; 0 too late")));
  }

  @Test
  void onATerminalOneLineIsKeptUpToDateAndThenCleared() {
    play(new Progress(new PrintWriter(shown), true, START));
    String[] updates = shown.toString().split("\r\u001b\\[K", -1);
    assertThat(updates.length, is(12 + 2));
    assertThat(updates[2], is("2s: 2,000 events, 1,000/s; 0 panes; 0 dead letters; 0 too late"));
    assertThat(updates[13], is(""));
  }

  @Test
  void theWatermarkItsLagAndThePanesByKindAreShownOnceThereAreAny() {
    Progress progress = new Progress(new PrintWriter(shown), false, START);
    Instant now = START.plus(Duration.standardSeconds(5));
    progress.update(
        new Counts(
            Map.of("read", 10L, "panes", 6L, "panes.FINAL", 1L, "panes.EARLY", 5L),
            now.minus(Duration.standardSeconds(7))),
        now);
    assertThat(
        shown.toString(),
        is(
            "5s: 10 events, 2/s; watermark 2026-07-04T09:59:58.000Z, 7 s behind; 6 panes"
                + " (EARLY 5, FINAL 1); 0 dead letters; 0 too late"
                + System.lineSeparator()));
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void aWatermarkAtABoundOfTimeIsNoTime(Instant watermark, String shows) {
    Progress progress = new Progress(new PrintWriter(shown), false, START);
    progress.update(new Counts(Map.of(), watermark), START.plus(Duration.standardSeconds(5)));
    assertThat(shown.toString(), startsWith("5s: 0 events, 0/s" + shows + "; 0 panes;"));
  }

  static Stream<Arguments> bounds() {
    return Stream.of(
        Arguments.of(BoundedWindow.TIMESTAMP_MIN_VALUE, ""),
        Arguments.of(BoundedWindow.TIMESTAMP_MAX_VALUE, "; watermark at its end"));
  }

  private static void play(Progress progress) {
    for (int second = 1; second <= 12; second++) {
      progress.update(
          new Counts(Map.of("read", 1_000L * second)),
          START.plus(Duration.standardSeconds(second)));
    }
    progress.finish();
  }
}
