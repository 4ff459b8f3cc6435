package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** The number of events; 0 for none. */
final class CountAccumulator implements Accumulator {
  private long count;

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    count++;
  }

  @Override
  public void addValue(Scalar value) {
    count += Values.number(value).longValueExact();
  }

  @Override
  public void merge(Accumulator other) {
    count += ((CountAccumulator) other).count;
  }

  @Override
  public AggregateValue value() {
    return Values.single(count);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    VarInt.encode(count, out);
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    count = VarInt.decodeLong(in);
  }
}
