package dev.tidemark.transforms.windowing;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionMergeTest {

  @ParameterizedTest
  @CsvSource({
    // sessions, bound, what they become
    "'', , ''",
    "0-2, , 0-2",
    "4-6 1-3 0-2, , 0-3 4-6",
    "0-2 2-4, , 0-2 2-4", // they only touch
    "0-9 1-2 8-10, , 0-10",
    "0-4 3-7 6-9, 7, 0-7 6-9",
    "0-4 3-8, 7, 0-4 3-8",
    "0-4 3-8 1-5, 7, 0-5 3-8",
  })
  void sessionsThatOverlapBecomeOneWithinTheBound(
      String sessions, @Nullable Integer bound, String merged) {
    Duration maxDuration = bound == null ? null : Duration.millis(bound);
    assertThat(
        SessionMerge.of(windows(sessions), maxDuration).stream()
            .map(SessionMerge::session)
            .toList(),
        is(windows(merged)));
  }

  private static List<IntervalWindow> windows(String text) {
    return Arrays.stream(text.split(" "))
        .filter(window -> !window.isEmpty())
        .map(window -> window.split("-"))
        .map(bounds -> new IntervalWindow(instant(bounds[0]), instant(bounds[1])))
        .toList();
  }

  private static Instant instant(String millis) {
    return Instant.ofEpochMilli(Long.parseLong(millis));
  }
}
