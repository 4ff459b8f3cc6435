package dev.tidemark.policy;

/** How the panes of one window relate to each other. */
public enum Accumulation {
  /** Each pane holds everything the window has seen so far. */
  ACCUMULATING,
  /** Each pane holds only what came since the pane before. */
  DISCARDING,
  /** As accumulating, and each pane first takes back the value of the pane before. */
  RETRACTING
}
