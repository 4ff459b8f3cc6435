package dev.tidemark.dlq;

/** Why a record became a dead letter: a fixed vocabulary, for dashboards and replays. */
public enum Reason {
  /** A topic's record without a value, which says that its key is deleted. */
  TOMBSTONE,
  /** Not one well-formed JSON value in UTF-8. */
  NOT_JSON,
  /** JSON, but not an object. */
  NOT_AN_OBJECT,
  /** Not one well-formed line of separated values, or more cells than columns. */
  NOT_CSV,
  /** Longer than the largest record allowed, or nested deeper. */
  TOO_LARGE,
  /** The timestamp's field is missing or null. */
  MISSING_TIMESTAMP,
  /** The timestamp is neither ISO-8601 text with an offset nor whole epoch milliseconds. */
  BAD_TIMESTAMP,
  /** Stamped further ahead of the clock than the policy allows. */
  FUTURE_TIMESTAMP,
  /** A key field is missing or null. */
  MISSING_KEY,
  /** A key field is not a scalar, or its text cannot be encoded. */
  BAD_KEY,
  /** A field that an aggregate reads is missing or null. */
  MISSING_FIELD,
  /** A field that an aggregate reads has the wrong type, or is a number out of bounds. */
  BAD_FIELD,
  /** The timestamp lies in no period of the reporting calendar. */
  NO_PERIOD,
  /** One of Beam's own steps failed on the record; see {@link DeadLettersOfBadRecords}. */
  IO_FAILURE,
  /** No record at all, but a result that its destination refused; it is never parsed again. */
  NOT_WRITTEN
}
