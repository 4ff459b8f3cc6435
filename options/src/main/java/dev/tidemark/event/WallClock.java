package dev.tidemark.event;

import java.io.Serializable;
import org.joda.time.Instant;

/** The wall clock, injected so that tests and simulations can set it. */
@FunctionalInterface
public interface WallClock extends Serializable {

  /** The machine's own clock. */
  WallClock SYSTEM = Instant::now;

  /** The present instant. */
  Instant now();
}
