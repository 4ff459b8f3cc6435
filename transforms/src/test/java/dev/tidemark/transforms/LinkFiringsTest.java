package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Gather;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.testkit.Policies;
import dev.tidemark.transforms.lateness.LatenessGate;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Firings fed by hand, in orders that a pipeline gives only now and then. */
@ExtendWith(PipelineExtension.class)
class LinkFiringsTest {
  private static final Duration LATENESS = Duration.standardSeconds(30);
  private static final Windowing FIXED =
      new Windowing.Fixed(Duration.standardSeconds(10), Duration.ZERO);
  private static final Windowing SESSIONS =
      new Windowing.Sessions(Duration.standardSeconds(10), null);

  private TestStream.Builder<Firing> stream = TestStream.create(Firing.FiringCoder.of());

  static Stream<List<Integer>> orders() {
    return Stream.of(
        List.of(1, 2, 3),
        List.of(1, 3, 2),
        List.of(2, 1, 3),
        List.of(2, 3, 1),
        List.of(3, 1, 2),
        List.of(3, 2, 1));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void inAnyOrderEachFiringStandsAndAllButTheLastAreTakenBack(
      List<Integer> order, TestPipeline pipeline) {
    order.forEach(sequence -> feed(window(0, 10), ResultKind.LATE_UPDATE, sequence, sequence));

    List<String> said = link(pipeline, FIXED, Accumulation.RETRACTING);

    assertThat(
        said.stream().sorted().toList(),
        contains("+0..10#1", "+0..10#2", "+0..10#3", "-0..10#1", "-0..10#2"));
  }

  @Test
  void aFiringTakesBackTheOneBeforeFirst(TestPipeline pipeline) {
    feed(window(0, 10), ResultKind.EARLY, 1, 1);
    feed(window(0, 10), ResultKind.FINAL, 2, 2);
    feed(window(10, 20), ResultKind.FINAL, 1, 1);

    assertThat(
        link(pipeline, FIXED, Accumulation.RETRACTING),
        contains("+0..10#1", "-0..10#1", "+0..10#2", "+10..20#1"));
  }

  @Test
  void anOvertakenFiringComesOutAndIsTakenBackAtOnce(TestPipeline pipeline) {
    feed(window(0, 10), ResultKind.FINAL, 2, 2);
    feed(window(0, 10), ResultKind.EARLY, 1, 1);

    assertThat(
        link(pipeline, FIXED, Accumulation.RETRACTING),
        contains("+0..10#2", "+0..10#1", "-0..10#1"));
  }

  @ParameterizedTest
  @EnumSource(Accumulation.class)
  void aSessionReplacesThoseThatGrewOrMergedIntoIt(
      Accumulation accumulation, TestPipeline pipeline) {
    feed(window(0, 10), ResultKind.FINAL, 1, 1);
    feed(window(0, 15), ResultKind.FINAL, 1, 2);
    feed(window(20, 30), ResultKind.EARLY, 1, 1);
    feed(window(50, 60), ResultKind.EARLY, 1, 1);
    feed(window(0, 30), ResultKind.FINAL, 1, 4);

    List<String> said = link(pipeline, SESSIONS, accumulation);

    if (accumulation == Accumulation.RETRACTING) {
      assertThat(
          said,
          contains(
              "+0..10#1",
              "-0..10#1",
              "+0..15#1",
              "+20..30#1",
              "+50..60#1",
              "-0..15#1",
              "-20..30#1",
              "+0..30#1"));
    } else {
      assertThat(
          said,
          contains(
              "+0..10#1",
              "+0..15#1 for 0..10",
              "+20..30#1",
              "+50..60#1",
              "+0..30#1 for 0..15 20..30"));
    }
  }

  @ParameterizedTest
  @EnumSource(Accumulation.class)
  void aSessionIsRememberedUntilTheOneItMergedIntoFires(
      Accumulation accumulation, TestPipeline pipeline) {
    feed(window(0, 10), ResultKind.FINAL, 1, 1);
    advance(at(1_000_000));
    feed(window(0, 999_999), ResultKind.FINAL, 1, 2);

    assertThat(
        link(pipeline, SESSIONS, accumulation),
        accumulation == Accumulation.RETRACTING
            ? contains("+0..10#1", "-0..10#1", "+0..999999#1")
            : contains("+0..10#1", "+0..999999#1 for 0..10"));
  }

  @ParameterizedTest
  @EnumSource(Accumulation.class)
  void aSessionThatHasClosedIsForgotten(Accumulation accumulation, TestPipeline pipeline) {
    feed(window(0, 10), ResultKind.FINAL, 1, 1);
    feedLast(window(0, 10), 2, accumulation == Accumulation.DISCARDING ? 0 : 1);
    advance(at(1_000_000));
    feed(window(0, 999_999), ResultKind.FINAL, 1, 2);

    assertThat(link(pipeline, SESSIONS, accumulation), contains("+0..10#1", "+0..999999#1"));
  }

  @ParameterizedTest
  @EnumSource(Accumulation.class)
  void aLastPaneComesOutOnlyIfThereIsNewsInIt(Accumulation accumulation, TestPipeline pipeline) {
    feed(window(0, 10), ResultKind.FINAL, 1, 3);
    feedLast(window(0, 10), 2, accumulation == Accumulation.DISCARDING ? 0 : 3);
    feed(window(50, 60), ResultKind.FINAL, 1, 3);
    feedLast(window(50, 60), 2, accumulation == Accumulation.DISCARDING ? 3 : 6);

    assertThat(
        link(pipeline, SESSIONS, accumulation),
        accumulation == Accumulation.RETRACTING
            ? contains("+0..10#1", "+50..60#1", "-50..60#1", "+50..60#2")
            : contains("+0..10#1", "+50..60#1", "+50..60#2"));
  }

  @Test
  void aLastPaneThatIsTheFinalOneComesOutWhateverIsInIt(TestPipeline pipeline) {
    feed(window(0, 10), ResultKind.EARLY, 1, 3);
    feed(new Firing(result(window(0, 10), ResultKind.FINAL, 2), 3, true));

    assertThat(
        link(pipeline, SESSIONS, Accumulation.ACCUMULATING), contains("+0..10#1", "+0..10#2"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFiringIsForgottenOnceNoOtherOfItsWindowCanCome(boolean forgotten, TestPipeline pipeline) {
    Instant closing = at(10).plus(LATENESS).plus(LatenessGate.MARGIN);
    feed(window(0, 10), ResultKind.FINAL, 1, 1);
    advance(forgotten ? closing.plus(LatenessGate.MARGIN).plus(Duration.millis(1)) : closing);
    feed(window(0, 10), ResultKind.LATE_UPDATE, 2, 2);

    assertThat(
        link(pipeline, FIXED, Accumulation.RETRACTING),
        forgotten
            ? contains("+0..10#1", "+0..10#2")
            : contains("+0..10#1", "-0..10#1", "+0..10#2"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsRememberedDoesNotHoldTheWatermark(boolean sessions, TestPipeline pipeline) {
    feed(window(0, 10), ResultKind.FINAL, 1, 1);
    advance(at(1_000_000));
    feed(window(0, 20), ResultKind.FINAL, 1, 2);
    PCollection<WindowResult> linked =
        apply(pipeline, sessions ? SESSIONS : FIXED, Accumulation.ACCUMULATING);

    PCollection<String> panes =
        linked
            .apply(
                Window.<WindowResult>into(FixedWindows.of(Duration.standardDays(1)))
                    .triggering(
                        AfterWatermark.pastEndOfWindow()
                            .withLateFirings(AfterPane.elementCountAtLeast(1)))
                    .withAllowedLateness(Duration.standardDays(1_000))
                    .discardingFiredPanes())
            .apply(Combine.globally(Count.<WindowResult>combineFn()).withoutDefaults())
            .apply(ParDo.of(new SayPane()));

    PAssert.that(panes).containsInAnyOrder("1 ON_TIME", "1 LATE");
    pipeline.run().waitUntilFinish();
  }

  private void feed(ResultWindow window, ResultKind kind, long sequence, long events) {
    feed(new Firing(result(window, kind, sequence), events, false));
  }

  /** The pane with which a runner lets go of a window. */
  private void feedLast(ResultWindow window, long sequence, long events) {
    feed(new Firing(result(window, ResultKind.LATE_UPDATE, sequence), events, true));
  }

  private void feed(Firing firing) {
    stream = stream.addElements(TimestampedValue.of(firing, at(9)));
  }

  private void advance(Instant watermark) {
    stream = stream.advanceWatermarkTo(watermark);
  }

  private PCollection<WindowResult> apply(
      TestPipeline pipeline, Windowing windowing, Accumulation accumulation) {
    Policy policy =
        Policies.of(
            windowing,
            Trigger.DEFAULT,
            LATENESS,
            accumulation,
            TooLate.QUARANTINE,
            Map.of("count", new Aggregate.Count()));
    return pipeline.apply(stream.advanceWatermarkToInfinity()).apply(LinkFirings.of(policy));
  }

  private List<String> link(TestPipeline pipeline, Windowing windowing, Accumulation accumulation) {
    Gather<WindowResult> linked = new Gather<>();
    apply(pipeline, windowing, accumulation).apply("Gather", ParDo.of(linked));
    pipeline.run().waitUntilFinish();
    return linked.gathered().stream().map(LinkFiringsTest::say).toList();
  }

  private static Instant at(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  private static ResultWindow window(long start, long end) {
    return new ResultWindow(at(start), at(end));
  }

  private static WindowResult result(ResultWindow window, ResultKind kind, long sequence) {
    return new WindowResult(
        new EventKey(List.of(new Scalar.Text("k"))),
        window,
        kind,
        sequence,
        false,
        null,
        at(0),
        List.of(new AggregateValue.Single(new Scalar.Num(BigDecimal.valueOf(sequence)))),
        List.of(),
        null,
        List.of());
  }

  private static String say(WindowResult result) {
    StringBuilder said = new StringBuilder();
    said.append(result.kind() == ResultKind.RETRACTION ? '-' : '+');
    said.append(say(result.window())).append('#').append(result.firingSequence());
    if (!result.supersedes().isEmpty()) {
      said.append(" for");
      result.supersedes().forEach(window -> said.append(' ').append(say(window)));
    }
    return said.toString();
  }

  private static String say(ResultWindow window) {
    return window.start().getMillis() / 1_000 + ".." + window.end().getMillis() / 1_000;
  }

  static final class SayPane extends DoFn<Long, String> {
    @ProcessElement
    public void process(@Element Long count, PaneInfo pane, OutputReceiver<String> out) {
      out.output(count + " " + pane.getTiming());
    }
  }
}
