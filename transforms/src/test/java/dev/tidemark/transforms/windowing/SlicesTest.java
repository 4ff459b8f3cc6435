package dev.tidemark.transforms.windowing;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceWindows;
import dev.tidemark.testkit.ReferenceWindows.Window;
import dev.tidemark.transforms.windowing.Slices.Slice;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class SlicesTest {

  @Property(tries = 1_000)
  void aSliceIsTheLongestStretchInTheSameSlidingWindows(
      @ForAll @IntRange(min = 1, max = 50) int period,
      @ForAll @IntRange(max = 200) int longer,
      @ForAll @IntRange(max = 49) int offset,
      @ForAll @LongRange(min = -1_000, max = 1_000) long millis) {
    Windowing.Sliding windowing =
        new Windowing.Sliding(
            Duration.millis(period + longer),
            Duration.millis(period),
            Duration.millis(offset % period));
    SlidingWindows windowFn =
        SlidingWindows.of(windowing.size()).every(windowing.every()).withOffset(windowing.offset());
    Slice slice = Slices.of(windowFn).at(Instant.ofEpochMilli(millis));
    LongFunction<Set<Window>> windows =
        at -> Set.copyOf(ReferenceWindows.of(windowing, Instant.ofEpochMilli(at)));

    assertThat(slice.contains(Instant.ofEpochMilli(millis)), is(true));
    assertThat(
        slice.windows().stream().map(SlicesTest::window).collect(Collectors.toSet()),
        is(windows.apply(millis)));
    assertThat(windows.apply(slice.start()), is(windows.apply(millis)));
    assertThat(windows.apply(slice.end() - 1), is(windows.apply(millis)));
    assertThat(windows.apply(slice.start() - 1), is(not(windows.apply(millis))));
    assertThat(windows.apply(slice.end()), is(not(windows.apply(millis))));
  }

  private static Window window(BoundedWindow window) {
    IntervalWindow interval = (IntervalWindow) window;
    return new Window(interval.start(), interval.end());
  }

  @Test
  void ofWindowsThatDoNotOverlapEachIsASlice() {
    Slice slice = Slices.of(FixedWindows.of(Duration.millis(10))).at(Instant.ofEpochMilli(25));
    assertThat(slice.start(), is(20L));
    assertThat(slice.end(), is(30L));
    assertThat(slice.firstWindowEnd(), is(Instant.ofEpochMilli(29)));
  }

  @Test
  void allOfEventTimeIsTheSliceOfTheGlobalWindow() {
    Slice slice = Slices.of(new GlobalWindows()).at(Instant.EPOCH);
    assertThat(slice.contains(BoundedWindow.TIMESTAMP_MIN_VALUE), is(true));
    assertThat(slice.firstWindowEnd(), is(GlobalWindow.INSTANCE.maxTimestamp()));
  }

  @Test
  void theWindowThatEndsFirstIsTheOldestOfSlidingOnes() {
    Slice slice =
        Slices.of(SlidingWindows.of(Duration.millis(60)).every(Duration.millis(20)))
            .at(Instant.ofEpochMilli(65));
    assertThat(slice.firstWindowEnd(), is(Instant.ofEpochMilli(79)));
  }

  @Test
  void windowsThatMergeHaveNone() {
    Assertions.assertThrows(
        IllegalArgumentException.class,
        () -> Slices.of(Sessions.withGapDuration(Duration.millis(1))));
  }
}
