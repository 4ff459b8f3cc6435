package dev.tidemark.policy;

import java.io.Serializable;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a window fires besides at its end.
 *
 * @param early the cadence before the watermark passes the window's end; null for no early panes
 * @param late the cadence of the panes that late events cause
 */
public record Trigger(@Nullable Cadence early, Cadence late) implements Serializable {

  /** No early panes, and a pane as soon as there are late events. */
  public static final Trigger DEFAULT = new Trigger(null, new Count(1));

  /** How often a window fires. */
  public sealed interface Cadence extends Serializable {}

  /** After this much processing time since the first event of the pane. */
  public record Every(Duration every) implements Cadence {}

  /** After at least this many events. */
  public record Count(int count) implements Cadence {}
}
