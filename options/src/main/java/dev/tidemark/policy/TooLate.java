package dev.tidemark.policy;

/** What becomes of an event that missed its window. */
public enum TooLate {
  /** Written to the too-late lane with its raw record and the window that it missed. */
  QUARANTINE,
  /** Counted by a metric and dropped. */
  DROP_AND_COUNT
}
