package dev.tidemark.transforms.aggregate;

import dev.tidemark.policy.Aggregate;

/**
 * What an aggregate's state typically takes once encoded, for one key and window: for planning, not
 * a bound. Measured with numbers of up to a million with two decimal places, and with texts of 10
 * characters where the aggregate takes text; larger values take more.
 *
 * @param bytes the size, or the size of each different value; of a sketch, when it is full
 * @param perValue whether the state keeps each different value, and so grows without bound
 */
public record AccumulatorSize(int bytes, boolean perValue) {

  /** The typical size of one aggregate's state. */
  public static AccumulatorSize of(Aggregate aggregate) {
    if (aggregate instanceof Aggregate.Count) {
      return inAll(3);
    }
    if (aggregate instanceof Aggregate.Elapsed) {
      return inAll(11);
    }
    if (aggregate instanceof Aggregate.Sum) {
      return inAll(8);
    }
    if (aggregate instanceof Aggregate.Mean) {
      return inAll(10);
    }
    if (aggregate instanceof Aggregate.Min || aggregate instanceof Aggregate.Max) {
      return inAll(8);
    }
    if (aggregate instanceof Aggregate.First || aggregate instanceof Aggregate.Last) {
      return inAll(20);
    }
    if (aggregate instanceof Aggregate.Distinct distinct) {
      return distinct.exact() ? eachValue(12) : inAll(2_200);
    }
    if (aggregate instanceof Aggregate.Quantile) {
      return inAll(5_000);
    }
    if (aggregate instanceof Aggregate.Top) {
      return eachValue(13);
    }
    throw new IllegalArgumentException("unknown aggregate " + aggregate);
  }

  private static AccumulatorSize inAll(int bytes) {
    return new AccumulatorSize(bytes, false);
  }

  private static AccumulatorSize eachValue(int bytes) {
    return new AccumulatorSize(bytes, true);
  }
}
