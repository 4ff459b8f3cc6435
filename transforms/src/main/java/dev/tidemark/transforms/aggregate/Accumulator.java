package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** What one aggregate keeps of the events it has seen. The value must not depend on their order. */
interface Accumulator {

  /**
   * Takes in one event.
   *
   * @param value of the field that the aggregate reads; null where it reads none
   * @param time the event's time
   */
  void add(@Nullable Scalar value, Instant time);

  /**
   * Takes in the events that gave this value.
   *
   * @throws IllegalArgumentException if the value does not tell all that the aggregate keeps
   */
  default void addValue(Scalar value) {
    throw new IllegalArgumentException("the value does not tell all that the aggregate keeps");
  }

  /** Takes in all that {@code other}, of the same aggregate, has seen, and leaves it as it is. */
  void merge(Accumulator other);

  /** What the events so far amount to, computed without changing the state. */
  @Nullable AggregateValue value();

  /** Writes the state so that {@link #readFrom} knows where it ends. */
  void writeTo(OutputStream out) throws IOException;

  /** Reads a state into this accumulator, which must be empty. */
  void readFrom(InputStream in) throws IOException;

  /** An accumulator that has seen no event. */
  static Accumulator empty(Aggregate aggregate) {
    if (aggregate instanceof Aggregate.Count) {
      return new CountAccumulator();
    }
    if (aggregate instanceof Aggregate.Elapsed) {
      return new ElapsedAccumulator();
    }
    if (aggregate instanceof Aggregate.Sum) {
      return new SumAccumulator();
    }
    if (aggregate instanceof Aggregate.Mean) {
      return new MeanAccumulator();
    }
    if (aggregate instanceof Aggregate.Min) {
      return ExtremeAccumulator.smallest();
    }
    if (aggregate instanceof Aggregate.Max) {
      return ExtremeAccumulator.largest();
    }
    if (aggregate instanceof Aggregate.First) {
      return EdgeAccumulator.earliest();
    }
    if (aggregate instanceof Aggregate.Last) {
      return EdgeAccumulator.latest();
    }
    if (aggregate instanceof Aggregate.Distinct distinct) {
      return distinct.exact() ? new DistinctSet() : new DistinctSketch();
    }
    if (aggregate instanceof Aggregate.Quantile quantile) {
      return new QuantileSketch(quantile.q());
    }
    if (aggregate instanceof Aggregate.Top top) {
      return new TopCounts(top.n());
    }
    throw new IllegalArgumentException("unknown aggregate " + aggregate);
  }
}
