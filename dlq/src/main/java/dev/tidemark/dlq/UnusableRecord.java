package dev.tidemark.dlq;

import org.jspecify.annotations.Nullable;

/** Carries the reason for a dead letter up to the parser; never leaves it. */
final class UnusableRecord extends Exception {
  final Reason reason;

  UnusableRecord(Reason reason, String message) {
    this(reason, message, null);
  }

  /** Without a stack trace of its own, which would say nothing and cost much. */
  UnusableRecord(Reason reason, String message, @Nullable Exception cause) {
    super(message, cause, false, false);
    this.reason = reason;
  }
}
