package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.DecimalCoder;
import dev.tidemark.event.Scalar;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Exact sum and count, divided only for the value, to 34 digits; null for no events. */
final class MeanAccumulator implements Accumulator {
  private BigDecimal sum = BigDecimal.ZERO;
  private long count;

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    sum = sum.add(Values.number(value));
    count++;
  }

  @Override
  public void merge(Accumulator other) {
    MeanAccumulator that = (MeanAccumulator) other;
    sum = sum.add(that.sum);
    count += that.count;
  }

  @Override
  public @Nullable AggregateValue value() {
    if (count == 0) {
      return null;
    }
    BigDecimal mean = sum.divide(BigDecimal.valueOf(count), MathContext.DECIMAL128);
    return new AggregateValue.Single(new Scalar.Num(mean).canonical());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    DecimalCoder.of().encode(sum, out);
    VarInt.encode(count, out);
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    sum = DecimalCoder.of().decode(in);
    count = VarInt.decodeLong(in);
  }
}
