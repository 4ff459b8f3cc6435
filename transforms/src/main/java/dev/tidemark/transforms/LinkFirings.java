package dev.tidemark.transforms;

import dev.tidemark.event.EventKey;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.ListCoder;
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
 * last firing of the window comes. It forgets a firing when no other can replace it any more: some
 * time after its window has closed. A session may have merged into one that fires only much later;
 * so it is forgotten only if its own last pane has come, which {@link
 * dev.tidemark.transforms.windowing.PolicyWindow} asks for even if it is empty.
 */
final class LinkFirings extends PTransform<PCollection<Firing>, PCollection<WindowResult>> {
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
  public PCollection<WindowResult> expand(PCollection<Firing> firings) {
    return firings
        .apply("Outlive windows", Window.into(new GlobalWindows()))
        .apply("Key by window", ParDo.of(new KeyByWindow(policy)))
        .setCoder(KvCoder.of(ResultScope.CODER, Firing.FiringCoder.of()))
        .apply("Replace", ParDo.of(new Replace(policy)))
        .setCoder(WindowResultCoder.of());
  }

  /**
   * Keys each result by its {@link ResultScope}. Stamps it with its window's closing, because a
   * late pane comes stamped with its window's end: it would be late here, would not hold the
   * watermark, and could come after what it replaces has been forgotten.
   */
  static final class KeyByWindow
      extends DoFn<Firing, KV<KV<EventKey, @Nullable ResultWindow>, Firing>> {
    private final Policy policy;

    KeyByWindow(Policy policy) {
      this.policy = policy;
    }

    @ProcessElement
    public void process(
        @Element Firing firing,
        OutputReceiver<KV<KV<EventKey, @Nullable ResultWindow>, Firing>> out) {
      WindowResult result = firing.result();
      out.outputWithTimestamp(
          KV.of(ResultScope.of(policy, result.key(), result.window()), firing),
          WindowClosing.of(result.window(), policy.allowedLateness()));
    }
  }

  static final class Replace
      extends DoFn<KV<KV<EventKey, @Nullable ResultWindow>, Firing>, WindowResult> {
    private final PaneCounters panes = new PaneCounters();
    private final Accumulation accumulation;
    private final Duration allowedLateness;
    private final boolean sessions;

    @StateId("fired")
    private final StateSpec<ValueState<List<Firing>>> firedSpec =
        StateSpecs.value(ListCoder.of(Firing.FiringCoder.of()));

    @TimerId("forget")
    private final TimerSpec forgetSpec = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    Replace(Policy policy) {
      accumulation = policy.accumulation();
      allowedLateness = policy.allowedLateness();
      sessions = policy.windowing() instanceof Windowing.Sessions;
    }

    @ProcessElement
    public void process(
        @Element KV<KV<EventKey, @Nullable ResultWindow>, Firing> element,
        @AlwaysFetched @StateId("fired") ValueState<List<Firing>> firedState,
        @TimerId("forget") Timer forget,
        OutputReceiver<WindowResult> out) {
      Firing firing = element.getValue();
      List<Firing> fired = read(firedState);
      if (fired.stream().anyMatch(other -> replaces(other, firing))) {
        emitOvertaken(firing.result(), out);
        return;
      }
      List<Firing> replaced = fired.stream().filter(other -> replaces(firing, other)).toList();
      fired.removeAll(replaced);
      if (onlyCloses(firing, replaced)) {
        replaced.forEach(other -> fired.add(other.closed()));
      } else {
        emit(firing.result(), replaced.stream().map(Firing::result).toList(), out);
        fired.add(firing.withoutAccumulators());
      }
      remember(fired, firedState, forget);
    }

    /** Whether the firing is a session's last pane, with nothing in it that had not been fired. */
    private boolean onlyCloses(Firing firing, List<Firing> replaced) {
      if (!firing.closes() || firing.result().kind() != ResultKind.LATE_UPDATE) {
        return false;
      }
      return accumulation == Accumulation.DISCARDING
          ? firing.events() == 0
          : replaced.stream().anyMatch(other -> other.events() == firing.events());
    }

    private void emitOvertaken(WindowResult result, OutputReceiver<WindowResult> out) {
      panes.count(result);
      out.output(result);
      if (accumulation == Accumulation.RETRACTING) {
        out.output(result.retractedBy(result));
      }
    }

    private void emit(
        WindowResult result, List<WindowResult> replaced, OutputReceiver<WindowResult> out) {
      panes.count(result);
      if (accumulation == Accumulation.RETRACTING) {
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

    /** Whether the first firing makes the second void. */
    private static boolean replaces(Firing firing, Firing other) {
      WindowResult result = firing.result();
      ResultWindow window = result.window();
      if (window == null || window.equals(other.result().window())) {
        return result.firingSequence() > other.result().firingSequence();
      }
      return window.covers(other.result().window());
    }

    @OnTimer("forget")
    public void forget(
        OnTimerContext context,
        @AlwaysFetched @StateId("fired") ValueState<List<Firing>> firedState,
        @TimerId("forget") Timer forget) {
      List<Firing> fired = read(firedState);
      fired.removeIf(
          firing -> hasClosed(firing) && !expiry(firing).isAfter(context.fireTimestamp()));
      remember(fired, firedState, forget);
    }

    private static List<Firing> read(ValueState<List<Firing>> firedState) {
      List<Firing> fired = firedState.read();
      return fired == null ? new ArrayList<>() : new ArrayList<>(fired);
    }

    private void remember(List<Firing> fired, ValueState<List<Firing>> firedState, Timer forget) {
      if (fired.isEmpty()) {
        firedState.clear();
        return;
      }
      firedState.write(fired);
      fired.stream()
          .filter(this::hasClosed)
          .map(this::expiry)
          .min(Instant::compareTo)
          .ifPresent(next -> forget.withNoOutputTimestamp().set(next));
    }

    /** Whether time alone decides when the firing can be forgotten. */
    private boolean hasClosed(Firing firing) {
      return firing.closes() || !sessions;
    }

    /** When no firing of the same window can come any more: safely after the last one's stamp. */
    private Instant expiry(Firing firing) {
      return WindowClosing.ofLast(firing.result().window(), allowedLateness);
    }
  }
}
