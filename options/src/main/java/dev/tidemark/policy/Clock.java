package dev.tidemark.policy;

/** Which time an event is windowed by. Each result names it. */
public enum Clock {
  /** When the event happened, read from the field that the policy's {@code timestamp} names. */
  EVENT_TIME,
  /** When the event takes effect for the business, read from the policy's {@code timestamp}. */
  BUSINESS_EFFECTIVE_TIME,
  /** When the source received the event; reads no field. */
  INGESTION_TIME,
  /** When the pipeline parsed the event; reads no field, and a replay gives other windows. */
  PROCESSING_TIME;

  /** Whether the time comes from a field of the event, so that the policy needs a timestamp. */
  public boolean readsTimestamp() {
    return this == EVENT_TIME || this == BUSINESS_EFFECTIVE_TIME;
  }
}
