package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.DecimalCoder;
import dev.tidemark.event.Scalar;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The exact sum; 0 for no events. It has as many decimal places as the summand with the most, and
 * none if all are whole, so neither value nor scale depends on the order.
 */
final class SumAccumulator implements Accumulator {
  private BigDecimal sum = BigDecimal.ZERO;

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    sum = sum.add(Values.number(value));
  }

  @Override
  public void addValue(Scalar value) {
    sum = sum.add(Values.number(value));
  }

  @Override
  public void merge(Accumulator other) {
    sum = sum.add(((SumAccumulator) other).sum);
  }

  @Override
  public AggregateValue value() {
    return Values.single(sum);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    DecimalCoder.of().encode(sum, out);
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    sum = DecimalCoder.of().decode(in);
  }
}
