package dev.tidemark.transforms;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.EventKeyCoder;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import dev.tidemark.transforms.lateness.LatenessGate;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Links each firing to the ones that it replaces: the firing before it of the same window, and, for
 * sessions, those of the sessions that grew or merged into its own. In retracting mode each of them
 * is taken back by a {@code RETRACTION} first; in the other modes a result lists the sessions that
 * it {@code supersedes}.
 *
 * <p>A firing that a later one of its window has overtaken on the way comes out followed by its own
 * retraction, so that every firing stands in the output, and taking them in any order by firing
 * sequence gives the same sum.
 *
 * <p>Works in the global window, because state in a result's own window would expire before the
 * last firing of the window comes. It forgets a firing when no other can replace it any more.
 */
final class LinkFirings extends PTransform<PCollection<WindowResult>, PCollection<WindowResult>> {
  private final Policy policy;

  private LinkFirings(Policy policy) {
    this.policy = policy;
  }

  static LinkFirings of(Policy policy) {
    return new LinkFirings(policy);
  }

  /** Whether the firings of the policy replace others than those that their sequence tells. */
  static boolean isNeeded(Policy policy) {
    return policy.accumulation() == Accumulation.RETRACTING
        || policy.windowing() instanceof Windowing.Sessions;
  }

  @Override
  public PCollection<WindowResult> expand(PCollection<WindowResult> results) {
    return results
        .apply("Outlive windows", Window.into(new GlobalWindows()))
        .apply("Key by window", ParDo.of(new KeyByWindow(policy)))
        .setCoder(
            KvCoder.of(
                KvCoder.of(EventKeyCoder.of(), NullableCoder.of(ResultWindowCoder.of())),
                WindowResultCoder.of()))
        .apply("Replace", ParDo.of(new Replace(policy)))
        .setCoder(WindowResultCoder.of());
  }

  /** When the runner lets go of the window; the end of time for the global window. */
  private static Instant closing(WindowResult result, Duration allowedLateness) {
    Instant endOfTime = GlobalWindow.INSTANCE.maxTimestamp();
    Duration kept = allowedLateness.plus(LatenessGate.MARGIN);
    return result.window() == null || result.window().end().isAfter(endOfTime.minus(kept))
        ? endOfTime
        : result.window().end().plus(kept);
  }

  /**
   * Keys each result by what it can replace: its window, or all sessions of its key. Stamps it with
   * its window's closing, because a late pane comes stamped with its window's end: it would be late
   * here, would not hold the watermark, and could come after what it replaces has been forgotten.
   */
  static final class KeyByWindow
      extends DoFn<WindowResult, KV<KV<EventKey, @Nullable ResultWindow>, WindowResult>> {
    private final Duration allowedLateness;
    private final boolean sessions;

    KeyByWindow(Policy policy) {
      allowedLateness = policy.allowedLateness();
      sessions = policy.windowing() instanceof Windowing.Sessions;
    }

    @ProcessElement
    public void process(
        @Element WindowResult result,
        OutputReceiver<KV<KV<EventKey, @Nullable ResultWindow>, WindowResult>> out) {
      out.outputWithTimestamp(
          KV.of(KV.of(result.key(), sessions ? null : result.window()), result),
          closing(result, allowedLateness));
    }
  }

  static final class Replace
      extends DoFn<KV<KV<EventKey, @Nullable ResultWindow>, WindowResult>, WindowResult> {
    private final boolean retracting;
    private final Duration allowedLateness;

    @StateId("fired")
    private final StateSpec<ValueState<List<WindowResult>>> firedSpec =
        StateSpecs.value(ListCoder.of(WindowResultCoder.of()));

    @TimerId("forget")
    private final TimerSpec forgetSpec = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    Replace(Policy policy) {
      retracting = policy.accumulation() == Accumulation.RETRACTING;
      allowedLateness = policy.allowedLateness();
    }

    @ProcessElement
    public void process(
        @Element KV<KV<EventKey, @Nullable ResultWindow>, WindowResult> element,
        @AlwaysFetched @StateId("fired") ValueState<List<WindowResult>> firedState,
        @TimerId("forget") Timer forget,
        OutputReceiver<WindowResult> out) {
      WindowResult result = element.getValue();
      List<WindowResult> fired = read(firedState);
      if (fired.stream().anyMatch(other -> replaces(other, result))) {
        out.output(result);
        if (retracting) {
          out.output(result.retractedBy(result));
        }
        return;
      }
      List<WindowResult> replaced =
          fired.stream().filter(other -> replaces(result, other)).toList();
      emit(result, replaced, out);
      fired.removeAll(replaced);
      fired.add(result.withoutAccumulators());
      remember(fired, firedState, forget);
    }

    private void emit(
        WindowResult result, List<WindowResult> replaced, OutputReceiver<WindowResult> out) {
      if (retracting) {
        replaced.forEach(other -> out.output(other.retractedBy(result)));
        out.output(result);
      } else {
        out.output(
            result.superseding(
                replaced.stream()
                    .map(WindowResult::window)
                    .filter(window -> !window.equals(result.window()))
                    .toList()));
      }
    }

    /** Whether the first result makes the second void. */
    private static boolean replaces(WindowResult result, WindowResult other) {
      if (result.window() == null || result.window().equals(other.window())) {
        return result.firingSequence() > other.firingSequence();
      }
      return result.window().covers(other.window());
    }

    @OnTimer("forget")
    public void forget(
        OnTimerContext context,
        @AlwaysFetched @StateId("fired") ValueState<List<WindowResult>> firedState,
        @TimerId("forget") Timer forget) {
      List<WindowResult> fired = read(firedState);
      fired.removeIf(result -> !expiry(result).isAfter(context.fireTimestamp()));
      remember(fired, firedState, forget);
    }

    private static List<WindowResult> read(ValueState<List<WindowResult>> firedState) {
      List<WindowResult> fired = firedState.read();
      return fired == null ? new ArrayList<>() : new ArrayList<>(fired);
    }

    private void remember(
        List<WindowResult> fired, ValueState<List<WindowResult>> firedState, Timer forget) {
      if (fired.isEmpty()) {
        firedState.clear();
        return;
      }
      firedState.write(fired);
      Instant next = fired.stream().map(this::expiry).min(Instant::compareTo).orElseThrow();
      forget.withNoOutputTimestamp().set(next);
    }

    /** When no firing can replace this one any more: safely after the stamp of the last one. */
    private Instant expiry(WindowResult result) {
      return closing(result, allowedLateness.plus(LatenessGate.MARGIN));
    }
  }
}
