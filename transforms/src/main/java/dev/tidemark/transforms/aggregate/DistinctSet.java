package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.event.ScalarCoder;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many different values, exactly. Keeps each of them, so it grows without bound; sorted, so
 * that equal sets have equal bytes.
 */
final class DistinctSet implements Accumulator {
  private final SortedSet<Scalar> values = new TreeSet<>();

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    values.add(Values.present(value).canonical());
  }

  @Override
  public void merge(Accumulator other) {
    values.addAll(((DistinctSet) other).values);
  }

  @Override
  public AggregateValue value() {
    return Values.single(values.size());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    VarInt.encode(values.size(), out);
    for (Scalar value : values) {
      ScalarCoder.of().encode(value, out);
    }
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    int size = VarInt.decodeInt(in);
    for (int i = 0; i < size; i++) {
      values.add(ScalarCoder.of().decode(in));
    }
  }
}
