package dev.tidemark.transforms;

import dev.tidemark.policy.Windowing;

/** The shape of a result's window, as the result states it. */
public enum WindowType {
  FIXED,
  SLIDING,
  SESSIONS,
  GLOBAL,
  CALENDAR;

  /** The type of the windows of a policy. */
  public static WindowType of(Windowing windowing) {
    if (windowing instanceof Windowing.Fixed) {
      return FIXED;
    } else if (windowing instanceof Windowing.Sliding) {
      return SLIDING;
    } else if (windowing instanceof Windowing.Sessions) {
      return SESSIONS;
    } else if (windowing instanceof Windowing.Global) {
      return GLOBAL;
    }
    return CALENDAR;
  }
}
