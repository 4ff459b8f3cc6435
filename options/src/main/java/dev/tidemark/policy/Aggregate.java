package dev.tidemark.policy;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** What one field of a result's value is computed by. */
public sealed interface Aggregate extends Serializable {

  /** The field that the aggregate reads; null where it reads none. */
  default @Nullable Pointer of() {
    return null;
  }

  /** Whether the field must be a number. */
  default boolean numeric() {
    return false;
  }

  /** How many events. */
  record Count() implements Aggregate {}

  /** Last event time less first, in milliseconds. */
  record Elapsed() implements Aggregate {}

  /** Exact decimal sum. */
  record Sum(Pointer of) implements Aggregate {
    @Override
    public boolean numeric() {
      return true;
    }
  }

  /** Smallest number. */
  record Min(Pointer of) implements Aggregate {
    @Override
    public boolean numeric() {
      return true;
    }
  }

  /** Largest number. */
  record Max(Pointer of) implements Aggregate {
    @Override
    public boolean numeric() {
      return true;
    }
  }

  /** Exact sum over count, rounded once to 34 significant digits. */
  record Mean(Pointer of) implements Aggregate {
    @Override
    public boolean numeric() {
      return true;
    }
  }

  /**
   * How many different values.
   *
   * @param exact keep the set of values instead of a HyperLogLog sketch
   */
  record Distinct(Pointer of, boolean exact) implements Aggregate {}

  /**
   * The value below which the share {@code q} of all values lies, from a KLL sketch.
   *
   * @param q from 0 to 1
   */
  record Quantile(Pointer of, double q) implements Aggregate {
    @Override
    public boolean numeric() {
      return true;
    }
  }

  /** The {@code n} most frequent values with their counts, exactly. */
  record Top(Pointer of, int n) implements Aggregate {}

  /** The value of the earliest event; of several at that time, the smallest value. */
  record First(Pointer of) implements Aggregate {}

  /** The value of the latest event; of several at that time, the largest value. */
  record Last(Pointer of) implements Aggregate {}
}
