package dev.tidemark.transforms.windowing;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterProcessingTime;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.Trigger;
import org.apache.beam.sdk.transforms.windowing.Trigger.OnceTrigger;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.Window.ClosingBehavior;
import org.apache.beam.sdk.transforms.windowing.WindowFn;

/** The windows, triggers, lateness and accumulation of a policy, in Beam's terms. */
public final class PolicyWindow {
  private PolicyWindow() {}

  /** The policy's whole window setting, for elements of any type. */
  public static <T> Window<T> of(Policy policy) {
    Window<T> window =
        Window.<T>into(windowFn(policy.windowing()))
            .triggering(trigger(policy.trigger()))
            .withAllowedLateness(policy.allowedLateness(), closing(policy.windowing()));
    return policy.accumulation() == Accumulation.DISCARDING
        ? window.discardingFiredPanes()
        : window.accumulatingFiredPanes();
  }

  /**
   * A session's last pane comes even if it is empty: it alone tells a session that has closed from
   * one that has merged into another, which may fire at any later time.
   */
  private static ClosingBehavior closing(Windowing windowing) {
    return windowing instanceof Windowing.Sessions
        ? ClosingBehavior.FIRE_ALWAYS
        : ClosingBehavior.FIRE_IF_NON_EMPTY;
  }

  /** The windows alone. */
  public static WindowFn<Object, ?> windowFn(Windowing windowing) {
    if (windowing instanceof Windowing.Fixed fixed) {
      return FixedWindows.of(fixed.size()).withOffset(fixed.offset());
    } else if (windowing instanceof Windowing.Sliding sliding) {
      return SlidingWindows.of(sliding.size()).every(sliding.every()).withOffset(sliding.offset());
    } else if (windowing instanceof Windowing.Sessions sessions) {
      return sessions.maxDuration() == null
          ? Sessions.withGapDuration(sessions.gap())
          : BoundedSessions.of(sessions.gap(), sessions.maxDuration());
    } else if (windowing instanceof Windowing.Calendar calendar) {
      return CalendarWindows.of(calendar);
    } else if (windowing instanceof Windowing.ReportingCalendar calendar) {
      return ReportingPeriods.of(calendar);
    }
    return new GlobalWindows();
  }

  private static Trigger trigger(dev.tidemark.policy.Trigger trigger) {
    OnceTrigger late = cadence(trigger.late());
    return trigger.early() == null
        ? AfterWatermark.pastEndOfWindow().withLateFirings(late)
        : AfterWatermark.pastEndOfWindow()
            .withEarlyFirings(cadence(trigger.early()))
            .withLateFirings(late);
  }

  private static OnceTrigger cadence(dev.tidemark.policy.Trigger.Cadence cadence) {
    if (cadence instanceof dev.tidemark.policy.Trigger.Every every) {
      return AfterProcessingTime.pastFirstElementInPane().plusDelayOf(every.every());
    }
    return AfterPane.elementCountAtLeast(((dev.tidemark.policy.Trigger.Count) cadence).count());
  }
}
