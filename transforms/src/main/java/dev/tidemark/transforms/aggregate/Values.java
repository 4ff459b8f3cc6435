package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.transforms.AggregateValue;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Between field values and what accumulators compute with. */
final class Values {
  private Values() {}

  /** The number of a field that the policy requires to be one; parsing has made sure that it is. */
  static BigDecimal number(@Nullable Scalar value) {
    return ((Scalar.Num) present(value)).value();
  }

  /** The value of a field that the policy requires; parsing has made sure that it is there. */
  static Scalar present(@Nullable Scalar value) {
    return Objects.requireNonNull(value, "an aggregate was given an event without its field");
  }

  static AggregateValue single(long number) {
    return single(BigDecimal.valueOf(number));
  }

  static AggregateValue single(BigDecimal number) {
    return new AggregateValue.Single(new Scalar.Num(number));
  }
}
