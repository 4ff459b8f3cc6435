package dev.tidemark.transforms;

import dev.tidemark.event.Scalar;
import java.util.List;

/** What an aggregate computed. */
public sealed interface AggregateValue {

  /** One scalar. */
  record Single(Scalar scalar) implements AggregateValue {}

  /** Values with their counts, most frequent first; of equal counts, the smaller value first. */
  record Ranking(List<Counted> entries) implements AggregateValue {}

  /** A value and how often it came. */
  record Counted(Scalar value, long count) {}
}
