package dev.tidemark.transforms;

import dev.tidemark.event.EventKey;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import java.io.Serializable;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a pane of the aggregation says, as a result. */
final class PaneStatement implements Serializable {
  private final Duration allowedLateness;
  private final @Nullable AccumulatorsCoder accumulatorsCoder;

  /**
   * @param withAccumulators whether results carry their accumulators
   */
  PaneStatement(Policy policy, boolean withAccumulators) {
    allowedLateness = policy.allowedLateness();
    accumulatorsCoder = withAccumulators ? AccumulatorsCoder.of(policy.aggregateList()) : null;
  }

  /**
   * Whether a pane says nothing: a window begins with an event, so its first pane has one. Where
   * the watermark leaps over a window's end and closing at once, as it does at the end of the
   * input, FlinkRunner lets both fire, and the second finds the window's state gone.
   */
  static boolean isVoid(Accumulators accumulators, PaneInfo pane) {
    return pane.isFirst() && accumulators.events() == 0;
  }

  WindowResult of(KV<EventKey, Accumulators> element, BoundedWindow beamWindow, PaneInfo pane) {
    ResultWindow window = ResultWindow.of(beamWindow);
    ResultKind kind = kind(pane);
    return new WindowResult(
        element.getKey(),
        window,
        kind,
        pane.getIndex() + 1,
        isLast(kind, pane),
        watermark(kind, window, pane),
        Instant.now(),
        element.getValue().values(),
        List.of(),
        accumulatorsCoder == null ? null : accumulatorsCoder.toBase64(element.getValue()),
        List.of());
  }

  /** By the index, since runners differ on the timing of a window whose first event is late. */
  private static ResultKind kind(PaneInfo pane) {
    if (pane.getNonSpeculativeIndex() < 0) {
      return ResultKind.EARLY;
    }
    return pane.getNonSpeculativeIndex() == 0 ? ResultKind.FINAL : ResultKind.LATE_UPDATE;
  }

  /** Beam keeps the window a margin longer, so without lateness only we know at its end. */
  private boolean isLast(ResultKind kind, PaneInfo pane) {
    return pane.isLast() || (kind != ResultKind.EARLY && allowedLateness.equals(Duration.ZERO));
  }

  private @Nullable Instant watermark(
      ResultKind kind, @Nullable ResultWindow window, PaneInfo pane) {
    if (kind == ResultKind.EARLY || window == null) {
      return null;
    }
    return pane.isLast() ? window.end().plus(allowedLateness) : window.end();
  }
}
