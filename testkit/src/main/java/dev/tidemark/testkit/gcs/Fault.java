package dev.tidemark.testkit.gcs;

/** What can go wrong with one call. */
public enum Fault {
  /** Status 429, nothing is done. */
  TOO_MANY_REQUESTS(429, "rateLimitExceeded"),
  /** Status 500, nothing is done. */
  INTERNAL_ERROR(500, "internalError"),
  /** Status 503 with Retry-After, nothing is done. */
  UNAVAILABLE(503, "backendError"),
  /** The connection is closed before anything is done. */
  CONNECTION_RESET,
  /** The call is done, and the connection is closed before the answer. */
  LOST_RESPONSE,
  /** The call is done, and the connection is closed in the middle of the answer's body. */
  TRUNCATED_BODY,
  /** The call is done, but late. */
  SLOW;

  private final int status;
  private final String reason;

  Fault() {
    this(0, "");
  }

  Fault(int status, String reason) {
    this.status = status;
    this.reason = reason;
  }

  /** Whether the answer is an error status: only such a fault can befall one part of a batch. */
  boolean isStatus() {
    return status != 0;
  }

  Response response() {
    return new Refusal(status, reason, "Injected fault: " + this)
        .response()
        .with("Retry-After", "1");
  }
}
