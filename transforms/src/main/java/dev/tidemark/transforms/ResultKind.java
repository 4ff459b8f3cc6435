package dev.tidemark.transforms;

/** What kind of statement a result makes about its window. */
public enum ResultKind {
  /** Before the watermark passed the window's end: provisional. */
  EARLY,
  /** The first firing at or after the window's end; exactly one per key and window. */
  FINAL,
  /** A firing after FINAL, caused by late events. */
  LATE_UPDATE,
  /** Takes back the value of the firing that it names. */
  RETRACTION,
  /** A later report that counts what had gone to the too-late lane. */
  CORRECTION
}
