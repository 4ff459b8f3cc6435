package dev.tidemark.pipelines.run;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

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

  private static void play(Progress progress) {
    for (int second = 1; second <= 12; second++) {
      progress.update(
          new Counts(Map.of("read", 1_000L * second)),
          START.plus(Duration.standardSeconds(second)));
    }
    progress.finish();
  }
}
