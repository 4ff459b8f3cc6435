package dev.tidemark.transforms.lateness;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Counters;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.transforms.windowing.CalendarWindows;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Repeatedly;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate alone, as a library's user would put it behind windows of his own. */
@ExtendWith(PipelineExtension.class)
class LatenessGateTest {
  private static final Duration MINUTE = Duration.standardMinutes(1);
  private static final Duration LATENESS = Duration.standardSeconds(30);

  /** The last instant at which a runner tells windows apart. */
  private static final Instant END_OF_TIME = GlobalWindow.INSTANCE.maxTimestamp();

  /** An element's time, the watermark that it meets, its windows, and those that it misses. */
  static Stream<Arguments> judgements() {
    FixedWindows fixed = FixedWindows.of(MINUTE);
    SlidingWindows sliding = SlidingWindows.of(Duration.standardMinutes(3)).every(MINUTE);
    Sessions sessions = Sessions.withGapDuration(MINUTE);
    String none = "";
    return Stream.of(
        judgement(fixed, at(10), at(0), "0..60", none),
        judgement(fixed, at(10), at(60), "0..60", none),
        judgement(fixed, at(10), at(90).minus(Duration.millis(1)), "0..60", none),
        judgement(fixed, at(10), at(90), none, "0..60"),
        judgement(fixed, at(10), at(100_000), none, "0..60"),
        judgement(fixed, at(60), at(90), "60..120", none),
        judgement(fixed, at(60).minus(Duration.millis(1)), at(90), none, "0..60"),
        judgement(sliding, at(130), at(90), "0..180, 60..240, 120..300", none),
        judgement(sliding, at(130), at(210), "60..240, 120..300", "0..180"),
        judgement(sliding, at(130), at(270), "120..300", "0..180, 60..240"),
        judgement(sliding, at(130), at(330), none, "0..180, 60..240, 120..300"),
        judgement(sessions, at(10), at(100).minus(Duration.millis(1)), "10..70", none),
        judgement(sessions, at(10), at(100), none, "10..70"),
        judgement(
            new NumberedMinutes(), at(130), at(210).minus(Duration.millis(1)), "minute 2", none),
        judgement(new NumberedMinutes(), at(130), at(210), none, "minute 2"),
        // The day on which Berlin's clocks skip an hour, seen from its end.
        judgement(
            berlinDays(),
            date("2026-03-29T12:00:00Z"),
            date("2026-03-29T22:00:29.999Z"),
            "1774738800..1774821600",
            none),
        judgement(
            berlinDays(),
            date("2026-03-29T12:00:00Z"),
            date("2026-03-29T22:00:30Z"),
            none,
            "1774738800..1774821600"),
        // The last window of all has no lateness: it closes with time itself.
        judgement(fixed, END_OF_TIME, END_OF_TIME, "9223371950400..9223371950454", none),
        judgement(
            fixed,
            END_OF_TIME.minus(Duration.standardMinutes(2)),
            END_OF_TIME,
            none,
            "9223371950280..9223371950340"));
  }

  @ParameterizedTest
  @MethodSource("judgements")
  void judgesEachWindowOfAnElementByTheWatermarkThatItMeets(
      WindowFn<Object, ?> windows,
      Instant time,
      Instant watermark,
      String inTime,
      String missed,
      TestPipeline pipeline) {
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .advanceWatermarkTo(watermark)
            .addElements(TimestampedValue.of("x", time))
            .advanceWatermarkToInfinity();

    LatenessGate.Output<String> judged =
        pipeline.apply(stream).apply(into(windows)).apply(LatenessGate.of());

    assertInTime(judged, inTime.isEmpty() ? List.of() : said("x", time, inTime));
    assertTooLate(judged, missed.isEmpty() ? List.of() : said("x", time, missed));
    assertThat(run(pipeline).droppedByBeam(), is(0L));
  }

  @Test
  void judgesTheElementsOfABundleApart(TestPipeline pipeline) {
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .advanceWatermarkTo(at(90))
            .addElements(
                TimestampedValue.of("too late", at(59)),
                TimestampedValue.of("late", at(61)),
                TimestampedValue.of("early", at(100)),
                TimestampedValue.of("too late", at(1)),
                TimestampedValue.of("future", at(1_000)))
            .advanceWatermarkToInfinity();

    LatenessGate.Output<String> judged = gate(pipeline, stream, LatenessGate.of());

    assertInTime(
        judged,
        List.of("late@61000 in 60..120", "early@100000 in 60..120", "future@1000000 in 960..1020"));
    assertTooLate(judged, List.of("too late@59000 in 0..60", "too late@1000 in 0..60"));
    assertThat(run(pipeline).droppedByBeam(), is(0L));
  }

  @Test
  void judgesASessionByTheElementsOwnWindowAndNotByTheSessionItWouldJoin(TestPipeline pipeline) {
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .addElements(TimestampedValue.of("first", at(0)))
            .addElements(TimestampedValue.of("last", at(59)))
            .advanceWatermarkTo(at(100))
            .addElements(TimestampedValue.of("between", at(5)))
            .advanceWatermarkToInfinity();

    LatenessGate.Output<String> judged =
        pipeline
            .apply(stream)
            .apply(into(Sessions.withGapDuration(MINUTE)))
            .apply(LatenessGate.of());

    assertInTime(judged, List.of("first@0 in 0..60", "last@59000 in 59..119"));
    assertTooLate(judged, List.of("between@5000 in 5..65"));
    assertThat(run(pipeline).droppedByBeam(), is(0L));
  }

  @Test
  void whatIsInTimeIsCountedBehindTheGateUpToTheLastInstant(TestPipeline pipeline) {
    TestStream<KV<String, Integer>> stream =
        TestStream.create(KvCoder.of(StringUtf8Coder.of(), VarIntCoder.of()))
            .addElements(TimestampedValue.of(KV.of("k", 1), at(10)))
            .advanceWatermarkTo(at(60))
            .addElements(TimestampedValue.of(KV.of("k", 10), at(20)))
            .advanceWatermarkTo(at(90).minus(Duration.millis(1)))
            .addElements(TimestampedValue.of(KV.of("k", 100), at(0)))
            .advanceWatermarkTo(at(90))
            .addElements(TimestampedValue.of(KV.of("k", 1_000), at(10)))
            .advanceWatermarkToInfinity();

    LatenessGate.Output<KV<String, Integer>> judged = gate(pipeline, stream, LatenessGate.of());
    PCollection<KV<String, Integer>> sums =
        judged.inTime().apply("Sum", Sum.<String>integersPerKey());

    PAssert.that(sums).containsInAnyOrder(List.of(KV.of("k", 1), KV.of("k", 11), KV.of("k", 111)));
    assertTooLate(judged, List.of("KV{k, 1000}@10000 in 0..60"));
    assertThat(run(pipeline).droppedByBeam(), is(0L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutTheGateBeamDropsWhatTheGateKeeps(boolean gated, TestPipeline pipeline) {
    TestStream<KV<String, Integer>> stream =
        TestStream.create(KvCoder.of(StringUtf8Coder.of(), VarIntCoder.of()))
            .advanceWatermarkTo(at(90))
            .addElements(TimestampedValue.of(KV.of("k", 1), at(10)))
            .advanceWatermarkToInfinity();
    PCollection<KV<String, Integer>> windowed =
        pipeline.apply(stream).apply(into(FixedWindows.of(MINUTE)));

    (gated ? windowed.apply(LatenessGate.of()).inTime() : windowed)
        .apply("Sum", Sum.<String>integersPerKey());

    assertThat(run(pipeline).droppedByBeam(), is(gated ? 0L : 1L));
  }

  @Test
  void nothingIsTooLateForTheGlobalWindow(TestPipeline pipeline) {
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .advanceWatermarkTo(at(1_000_000))
            .addElements(TimestampedValue.of("x", at(0)))
            .advanceWatermarkToInfinity();
    PCollection<String> windowed =
        pipeline
            .apply(stream)
            .apply(
                Window.<String>into(new GlobalWindows())
                    .triggering(Repeatedly.forever(AfterPane.elementCountAtLeast(1)))
                    .withAllowedLateness(Duration.ZERO)
                    .discardingFiredPanes());

    LatenessGate.Output<String> judged = windowed.apply(LatenessGate.of());

    PAssert.that(judged.inTime()).containsInAnyOrder("x");
    assertTooLate(judged, List.of());
    assertThat(run(pipeline).droppedByBeam(), is(0L));
    assertThat(groupings(pipeline), not(contains("Judge lateness/Group suspects")));
  }

  @Test
  void boundedInputPassesWithoutAGrouping(TestPipeline pipeline) {
    LatenessGate.Output<String> judged =
        pipeline
            .apply(
                Create.timestamped(
                    TimestampedValue.of("old", at(0)), TimestampedValue.of("new", at(1_000_000))))
            .apply(into(FixedWindows.of(MINUTE)))
            .apply(LatenessGate.of());
    List<String> groupings = groupings(pipeline);

    assertInTime(judged, List.of("old@0 in 0..60", "new@1000000000 in 999960..1000020"));
    assertTooLate(judged, List.of());
    run(pipeline);
    assertThat(groupings, is(empty()));
  }

  @ParameterizedTest
  @CsvSource({
    // the clock in ms, and whether the element's window, which closes at 90 s, is a suspect
    "-1000000, false",
    "89998, false",
    "89999, true",
    "1000000, true"
  })
  void withAWallClockOnlyWindowsThatItHasReachedAreJudged(
      long now, boolean suspect, TestPipeline pipeline) {
    WallClock clock = () -> Instant.ofEpochMilli(now);
    // A watermark ahead of such a clock breaks the condition, and so shows who was not judged.
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .advanceWatermarkTo(at(2_000))
            .addElements(TimestampedValue.of("x", at(10)))
            .advanceWatermarkToInfinity();

    LatenessGate.Output<String> judged =
        gate(pipeline, stream, LatenessGate.<String>of().withWallClock(clock));

    List<String> x = List.of("x@10000 in 0..60");
    assertInTime(judged, suspect ? List.of() : x);
    assertTooLate(judged, suspect ? x : List.of());
    run(pipeline);
  }

  @Test
  void withAWallClockSuspectsInTimeJoinTheOthers(TestPipeline pipeline) {
    WallClock clock = () -> at(95);
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .advanceWatermarkTo(at(80))
            .addElements(
                TimestampedValue.of("suspect", at(10)), TimestampedValue.of("beyond", at(70)))
            .advanceWatermarkTo(at(95))
            .addElements(
                TimestampedValue.of("guilty", at(10)), TimestampedValue.of("beyond", at(71)))
            .advanceWatermarkToInfinity();

    LatenessGate.Output<String> judged =
        gate(pipeline, stream, LatenessGate.<String>of().withWallClock(clock));

    assertInTime(
        judged,
        List.of("suspect@10000 in 0..60", "beyond@70000 in 60..120", "beyond@71000 in 60..120"));
    assertTooLate(judged, List.of("guilty@10000 in 0..60"));
    assertThat(run(pipeline).droppedByBeam(), is(0L));
  }

  @Test
  void keepsTheWindowsAMarginLongerAndEverythingElseAsItWas(TestPipeline pipeline) {
    PCollection<String> windowed =
        pipeline
            .apply(TestStream.create(StringUtf8Coder.of()).advanceWatermarkToInfinity())
            .apply(
                Window.<String>into(Sessions.withGapDuration(MINUTE))
                    .triggering(
                        AfterWatermark.pastEndOfWindow()
                            .withEarlyFirings(AfterPane.elementCountAtLeast(7)))
                    .withAllowedLateness(LATENESS, Window.ClosingBehavior.FIRE_ALWAYS)
                    .withOnTimeBehavior(Window.OnTimeBehavior.FIRE_IF_NON_EMPTY)
                    .discardingFiredPanes());

    LatenessGate.Output<String> judged = windowed.apply(LatenessGate.of());

    WindowingStrategy<?, ?> expected =
        windowed.getWindowingStrategy().withAllowedLateness(LATENESS.plus(LatenessGate.MARGIN));
    assertThat(judged.inTime().getWindowingStrategy(), is(expected));
    assertThat(judged.tooLate().getWindowingStrategy().getWindowFn(), is(new GlobalWindows()));
    assertThat(judged.inTime().getCoder(), is(windowed.getCoder()));
    run(pipeline);
  }

  @Test
  void takesElementsThatAreNull(TestPipeline pipeline) {
    TestStream<String> stream =
        TestStream.create(NullableCoder.of(StringUtf8Coder.of()))
            .addElements(TimestampedValue.of(null, at(10)))
            .advanceWatermarkTo(at(90))
            .addElements(TimestampedValue.of(null, at(20)))
            .advanceWatermarkToInfinity();

    LatenessGate.Output<String> judged = gate(pipeline, stream, LatenessGate.of());

    assertInTime(judged, List.of("null@10000 in 0..60"));
    assertTooLate(judged, List.of("null@20000 in 0..60"));
    run(pipeline);
  }

  @Test
  void canBeUsedTwiceInOnePipeline(TestPipeline pipeline) {
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .advanceWatermarkTo(at(90))
            .addElements(TimestampedValue.of("x", at(10)))
            .advanceWatermarkToInfinity();
    PCollection<String> elements = pipeline.apply(stream);

    LatenessGate.Output<String> minutes =
        elements
            .apply("Minutes", into(FixedWindows.of(MINUTE)))
            .apply("Judge minutes", LatenessGate.of());
    LatenessGate.Output<String> hours =
        elements
            .apply("Hours", into(FixedWindows.of(Duration.standardHours(1))))
            .apply("Judge hours", LatenessGate.of());

    assertTooLate(minutes, List.of("x@10000 in 0..60"));
    assertInTime(hours, List.of("x@10000 in 0..3600"));
    run(pipeline);
  }

  private static Arguments judgement(
      WindowFn<Object, ?> windows, Instant time, Instant watermark, String inTime, String missed) {
    return Arguments.of(windows, time, watermark, inTime, missed);
  }

  private static Instant at(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  private static Instant date(String text) {
    return Instant.parse(text);
  }

  private static CalendarWindows berlinDays() {
    return CalendarWindows.of(
        new Windowing.Calendar(
            Windowing.Period.DAY,
            ZoneId.of("Europe/Berlin"),
            LocalTime.MIDNIGHT,
            DayOfWeek.MONDAY,
            Month.JANUARY));
  }

  private static <T> Window<T> into(WindowFn<Object, ?> windows) {
    return Window.<T>into(windows)
        .triggering(
            AfterWatermark.pastEndOfWindow().withLateFirings(AfterPane.elementCountAtLeast(1)))
        .withAllowedLateness(LATENESS)
        .accumulatingFiredPanes();
  }

  private static <T> LatenessGate.Output<T> gate(
      Pipeline pipeline, TestStream<T> stream, LatenessGate<T> gate) {
    return pipeline.apply(stream).apply(into(FixedWindows.of(MINUTE))).apply("Judge", gate);
  }

  private static List<String> said(String element, Instant time, String windows) {
    return Stream.of(windows.split(", "))
        .map(window -> element + "@" + time.getMillis() + " in " + window)
        .toList();
  }

  private static <T> void assertInTime(LatenessGate.Output<T> judged, List<String> expected) {
    PAssert.that(judged.inTime().apply("Say in time", ParDo.of(new SayInTime<T>())))
        .containsInAnyOrder(expected);
  }

  private static <T> void assertTooLate(LatenessGate.Output<T> judged, List<String> expected) {
    PAssert.that(judged.tooLate().apply("Say too late", ParDo.of(new SayTooLate<T>())))
        .containsInAnyOrder(expected);
  }

  private static Counters run(TestPipeline pipeline) {
    var result = pipeline.run();
    result.waitUntilFinish();
    return Counters.of(result);
  }

  /** The names of the pipeline's grouping steps. */
  private static List<String> groupings(Pipeline pipeline) {
    List<String> names = new ArrayList<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public void visitPrimitiveTransform(TransformHierarchy.Node node) {
            if (node.getTransform() instanceof GroupByKey) {
              names.add(node.getFullName());
            }
          }
        });
    return names;
  }

  private static String say(Object element, Instant time, BoundedWindow window) {
    String shown =
        window instanceof IntervalWindow interval
            ? seconds(interval.start()) + ".." + seconds(interval.end())
            : window.toString();
    return element + "@" + time.getMillis() + " in " + shown;
  }

  private static long seconds(Instant instant) {
    return instant.getMillis() / 1_000;
  }

  static final class SayInTime<T> extends DoFn<T, String> {
    @ProcessElement
    public void process(
        @Element T element,
        @Timestamp Instant time,
        BoundedWindow window,
        OutputReceiver<String> out) {
      out.output(say(element, time, window));
    }
  }

  static final class SayTooLate<T> extends DoFn<TooLateElement<T>, String> {
    @ProcessElement
    public void process(@Element TooLateElement<T> missed, OutputReceiver<String> out) {
      out.output(say(missed.element(), missed.timestamp(), missed.window()));
    }
  }
}
