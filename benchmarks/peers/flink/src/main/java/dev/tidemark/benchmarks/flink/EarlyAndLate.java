package dev.tidemark.benchmarks.flink;

import java.time.Duration;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.triggers.TriggerResult;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * Fires some time after the first element that no result has, by the wall clock; at the end of the
 * window; and with each late element. Flink's own trigger of processing time does not fire at the
 * end.
 */
final class EarlyAndLate extends Trigger<Object, TimeWindow> {
  private final ValueStateDescriptor<Long> early = new ValueStateDescriptor<>("early", Types.LONG);
  private final long delay;

  EarlyAndLate(Duration delay) {
    this.delay = delay.toMillis();
  }

  @Override
  public TriggerResult onElement(
      Object element, long timestamp, TimeWindow window, TriggerContext context) throws Exception {
    if (window.maxTimestamp() <= context.getCurrentWatermark()) {
      return TriggerResult.FIRE;
    }
    ValueState<Long> timer = context.getPartitionedState(early);
    if (timer.value() == null) {
      long time = context.getCurrentProcessingTime() + delay;
      context.registerProcessingTimeTimer(time);
      timer.update(time);
    }
    context.registerEventTimeTimer(window.maxTimestamp());
    return TriggerResult.CONTINUE;
  }

  @Override
  public TriggerResult onProcessingTime(long time, TimeWindow window, TriggerContext context) {
    context.getPartitionedState(early).clear();
    return TriggerResult.FIRE;
  }

  @Override
  public TriggerResult onEventTime(long time, TimeWindow window, TriggerContext context)
      throws Exception {
    if (time != window.maxTimestamp()) {
      return TriggerResult.CONTINUE; // of the window's state, which ends later
    }
    cancelEarly(context);
    return TriggerResult.FIRE;
  }

  @Override
  public void clear(TimeWindow window, TriggerContext context) throws Exception {
    cancelEarly(context);
    context.deleteEventTimeTimer(window.maxTimestamp());
  }

  private void cancelEarly(TriggerContext context) throws Exception {
    ValueState<Long> timer = context.getPartitionedState(early);
    if (timer.value() != null) {
      context.deleteProcessingTimeTimer(timer.value());
      timer.clear();
    }
  }
}
