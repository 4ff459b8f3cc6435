package dev.tidemark.transforms;

import dev.tidemark.policy.Policy;

/** The result line and the too-late line of the result contract. */
public final class ResultJson {
  private ResultJson() {}

  /** One line of NDJSON for a result. */
  public static String line(Policy policy, WindowResult result) {
    throw new UnsupportedOperationException();
  }

  /** One line of NDJSON for a too-late event. */
  public static String line(Policy policy, TooLateEvent tooLate) {
    throw new UnsupportedOperationException();
  }
}
