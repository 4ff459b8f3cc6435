package dev.tidemark.differential;

import dev.tidemark.event.Event;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceWindows;
import dev.tidemark.testkit.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.EventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What native Flink makes of a script: the operator of its {@code WindowedStream} in the operator
 * test harness, which takes elements and watermarks one by one.
 *
 * <p>An event goes through Flink as its key and its index in the script.
 *
 * @param events of the script, in arrival order
 * @param panes in the order of firing
 * @param late the side output of late elements, in arrival order
 */
record FlinkRun(List<Event> events, List<Pane> panes, List<Event> late) {
  private static final TypeInformation<Tuple2<String, Integer>> ELEMENT =
      Types.TUPLE(Types.STRING, Types.INT);
  private static final OutputTag<Tuple2<String, Integer>> LATE = new OutputTag<>("late", ELEMENT);

  /**
   * Plays the script with Flink's own windows, its own trigger for them, and allowed lateness.
   *
   * @param policy with Flink's triggers, which are the default one and, for the global window, an
   *     early count
   */
  static FlinkRun of(Policy policy, List<Step> steps) throws Exception {
    Windowing windowing = policy.windowing();
    if (windowing instanceof Windowing.Fixed fixed) {
      return play(
          policy,
          steps,
          TumblingEventTimeWindows.of(JavaTime.of(fixed.size()), JavaTime.of(fixed.offset())),
          EventTimeTrigger.create());
    } else if (windowing instanceof Windowing.Sliding sliding) {
      return play(
          policy,
          steps,
          SlidingEventTimeWindows.of(
              JavaTime.of(sliding.size()),
              JavaTime.of(sliding.every()),
              JavaTime.of(sliding.offset())),
          EventTimeTrigger.create());
    } else if (windowing instanceof Windowing.Sessions sessions) {
      return play(
          policy,
          steps,
          EventTimeSessionWindows.withGap(JavaTime.of(sessions.gap())),
          EventTimeTrigger.create());
    }
    int count = ((dev.tidemark.policy.Trigger.Count) policy.trigger().early()).count();
    return play(policy, steps, GlobalWindows.create(), CountTrigger.of(count));
  }

  @SuppressWarnings("try") // the harness says that close() may throw anything
  private static <W extends Window> FlinkRun play(
      Policy policy,
      List<Step> steps,
      WindowAssigner<Object, W> assigner,
      Trigger<Object, W> trigger)
      throws Exception {
    List<Event> events = new ArrayList<>();
    try (var harness = harness(windowed(policy, assigner, trigger))) {
      harness.open();
      for (Step step : steps) {
        if (step instanceof Step.Arrive arrive) {
          Event event = arrive.event();
          harness.processElement(
              Tuple2.of(event.key().toString(), events.size()), event.timestamp().getMillis());
          events.add(event);
        } else if (step instanceof Step.Advance advance) {
          // Flink's watermark is the last timestamp that is not expected any more.
          harness.processWatermark(advance.watermark().getMillis() - 1);
        }
      }
      harness.processWatermark(Watermark.MAX_WATERMARK);
      return new FlinkRun(
          events,
          harness.extractOutputValues().stream().map(pane -> pane(events, pane)).toList(),
          late(events, harness.getSideOutput(LATE)));
    }
  }

  private static <W extends Window> SingleOutputStreamOperator<Tuple3<Long, Long, int[]>> windowed(
      Policy policy, WindowAssigner<Object, W> assigner, Trigger<Object, W> trigger) {
    return StreamExecutionEnvironment.createLocalEnvironment(1)
        .fromData(List.of(Tuple2.of("", 0)), ELEMENT)
        .keyBy(element -> element.f0, Types.STRING)
        .window(assigner)
        .trigger(
            policy.accumulation() == Accumulation.DISCARDING ? PurgingTrigger.of(trigger) : trigger)
        .allowedLateness(JavaTime.of(policy.allowedLateness()))
        .sideOutputLateData(LATE)
        .process(
            new Contents<>(),
            Types.TUPLE(Types.LONG, Types.LONG, Types.PRIMITIVE_ARRAY(Types.INT)));
  }

  private static KeyedOneInputStreamOperatorTestHarness<
          String, Tuple2<String, Integer>, Tuple3<Long, Long, int[]>>
      harness(SingleOutputStreamOperator<Tuple3<Long, Long, int[]>> windowed) throws Exception {
    @SuppressWarnings("unchecked") // the only input was made of elements
    OneInputTransformation<Tuple2<String, Integer>, Tuple3<Long, Long, int[]>> transformation =
        (OneInputTransformation<Tuple2<String, Integer>, Tuple3<Long, Long, int[]>>)
            windowed.getTransformation();
    return new KeyedOneInputStreamOperatorTestHarness<>(
        transformation.getOperator(), element -> element.f0, Types.STRING);
  }

  private static Pane pane(List<Event> events, Tuple3<Long, Long, int[]> pane) {
    return new Pane(
        pane.f1 == Long.MAX_VALUE
            ? ReferenceWindows.Window.GLOBAL
            : new ReferenceWindows.Window(
                Instant.ofEpochMilli(pane.f0), Instant.ofEpochMilli(pane.f1 + 1)),
        Arrays.stream(pane.f2).mapToObj(events::get).toList());
  }

  private static List<Event> late(
      List<Event> events, @Nullable Queue<StreamRecord<Tuple2<String, Integer>>> late) {
    return late == null
        ? List.of()
        : late.stream().map(record -> events.get(record.getValue().f1)).toList();
  }

  /** The window's first and last instant, and the indices of the events in it. */
  static final class Contents<W extends Window>
      extends ProcessWindowFunction<Tuple2<String, Integer>, Tuple3<Long, Long, int[]>, String, W> {
    @Override
    public void process(
        String key,
        Context context,
        Iterable<Tuple2<String, Integer>> elements,
        Collector<Tuple3<Long, Long, int[]>> out) {
      long first =
          context.window() instanceof TimeWindow window ? window.getStart() : Long.MIN_VALUE;
      int[] indices =
          StreamSupport.stream(elements.spliterator(), false)
              .mapToInt(element -> element.f1)
              .toArray();
      out.collect(Tuple3.of(first, context.window().maxTimestamp(), indices));
    }
  }
}
