package dev.tidemark.pipelines.generate;

/** What is wrong with a broken sample event; each makes a dead letter of another reason. */
enum Fault {
  /** The line breaks off, or has a cell too many. */
  MALFORMED,
  /** No timestamp. */
  MISSING_TIME,
  /** A timestamp that is none. */
  BAD_TIME,
  /** No key. */
  MISSING_KEY,
  /** Text where a number belongs. */
  WRONG_TYPE
}
