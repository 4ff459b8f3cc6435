package dev.tidemark.testkit;

import dev.tidemark.event.Event;
import org.joda.time.Instant;

/** One thing that happens to a pipeline. A script is a list of steps in arrival order. */
public sealed interface Step {

  /** An event arrives, in a bundle of its own. */
  record Arrive(Event event) implements Step {}

  /** The watermark moves on; a move backwards does nothing. */
  record Advance(Instant watermark) implements Step {}
}
