package dev.tidemark.transforms.windowing;

import static java.util.Comparator.comparing;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceWindows;
import dev.tidemark.testkit.ReferenceWindows.Window;
import dev.tidemark.transforms.windowing.Slices.Slice;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
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
    Slices slices = Slices.of(windowFn);
    Slice slice = slices.at(Instant.ofEpochMilli(millis));
    List<Window> own = slices.windows(slice).stream().map(SlicesTest::window).toList();
    LongFunction<Set<Window>> windows =
        at -> Set.copyOf(ReferenceWindows.of(windowing, Instant.ofEpochMilli(at)));

    assertThat(slice.contains(Instant.ofEpochMilli(millis)), is(true));
    assertThat(Set.copyOf(own), is(windows.apply(millis)));
    assertThat(own, is(own.stream().distinct().sorted(comparing(Window::start)).toList()));
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
    Slices slices = Slices.of(FixedWindows.of(Duration.millis(10)));
    Slice slice = slices.at(Instant.ofEpochMilli(25));
    assertThat(slice, is(new Slice(20, 30)));
    assertThat(
        slices.windows(slice),
        is(List.of(new IntervalWindow(Instant.ofEpochMilli(20), Instant.ofEpochMilli(30)))));
  }

  @Test
  void allOfEventTimeIsTheSliceOfTheGlobalWindow() {
    Slices slices = Slices.of(new GlobalWindows());
    Slice slice = slices.at(Instant.EPOCH);
    assertThat(slice.contains(BoundedWindow.TIMESTAMP_MIN_VALUE), is(true));
    assertThat(slices.windows(slice), is(List.of(GlobalWindow.INSTANCE)));
  }

  @Test
  void windowsThatMergeHaveNone() {
    Assertions.assertThrows(
        IllegalArgumentException.class,
        () -> Slices.of(Sessions.withGapDuration(Duration.millis(1))));
  }
}
