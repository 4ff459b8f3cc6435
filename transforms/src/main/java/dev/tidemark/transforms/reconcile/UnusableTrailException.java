package dev.tidemark.transforms.reconcile;

/**
 * An audit trail or a too-late lane that cannot be reconciled as it is. The message is one line for
 * the user. Unchecked, since it leaves a running pipeline.
 */
public final class UnusableTrailException extends RuntimeException {
  public UnusableTrailException(String message) {
    super(message);
  }
}
