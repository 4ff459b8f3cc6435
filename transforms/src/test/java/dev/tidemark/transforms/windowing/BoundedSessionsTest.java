package dev.tidemark.transforms.windowing;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;
import org.apache.beam.sdk.testing.WindowFnTestUtils;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.joda.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BoundedSessionsTest {
  private static final Duration GAP = Duration.millis(10);

  /** Times in order, and the sessions that they make with a gap of 10 and a bound of 30. */
  static Stream<Arguments> sessions() {
    return Stream.of(
        Arguments.of(List.of(0L), List.of("0..10")),
        Arguments.of(List.of(0L, 5L), List.of("0..15")),
        Arguments.of(List.of(0L, 10L), List.of("0..10", "10..20")),
        Arguments.of(List.of(0L, 8L, 16L, 20L), List.of("0..30")),
        Arguments.of(List.of(0L, 8L, 16L, 21L), List.of("0..26", "21..31")),
        Arguments.of(List.of(0L, 9L, 18L, 27L, 36L, 45L), List.of("0..28", "27..55")));
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void anEventThatWouldMakeItsSessionTooLongStartsTheNext(List<Long> times, List<String> expected)
      throws Exception {
    assertThat(
        merged(BoundedSessions.of(GAP, Duration.millis(30)), times).stream()
            .map(session -> session.start().getMillis() + ".." + session.end().getMillis())
            .toList(),
        is(expected));
  }

  @Property
  void noSessionIsLongerThanTheBound(
      @ForAll @Size(min = 1, max = 50) @UniqueElements
          List<@LongRange(min = 0, max = 300) Long> times,
      @ForAll @IntRange(min = 11, max = 100) int bound)
      throws Exception {
    List<IntervalWindow> sessions = merged(BoundedSessions.of(GAP, Duration.millis(bound)), times);

    assertThat(
        sessions.stream().map(s -> s.end().getMillis() - s.start().getMillis()).toList(),
        everyItem(is(lessThanOrEqualTo((long) bound))));
  }

  @Property
  void withoutReachingTheBoundTheyAreThoseOfBeam(
      @ForAll @Size(min = 1, max = 50) @UniqueElements
          List<@LongRange(min = 0, max = 300) Long> times)
      throws Exception {
    assertThat(
        merged(BoundedSessions.of(GAP, Duration.millis(1_000)), times),
        is(merged(Sessions.withGapDuration(GAP), times)));
  }

  @ParameterizedTest
  @CsvSource({"10, 10", "10, 9"})
  void aBoundMustLeaveRoomForMoreThanTheGap(long gap, long bound) {
    assertThrows(
        IllegalArgumentException.class,
        () -> BoundedSessions.of(Duration.millis(gap), Duration.millis(bound)));
  }

  private static List<IntervalWindow> merged(
      WindowFn<Object, IntervalWindow> windows, List<Long> times) throws Exception {
    return WindowFnTestUtils.runWindowFn(windows, times).keySet().stream().sorted().toList();
  }
}
