package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.BooleanCoder;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** The last event time less the first, in milliseconds; null for no events. */
final class ElapsedAccumulator implements Accumulator {
  private boolean any;
  private long first;
  private long last;

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    extend(time.getMillis(), time.getMillis());
  }

  @Override
  public void merge(Accumulator other) {
    ElapsedAccumulator that = (ElapsedAccumulator) other;
    if (that.any) {
      extend(that.first, that.last);
    }
  }

  private void extend(long from, long to) {
    first = any ? Math.min(first, from) : from;
    last = any ? Math.max(last, to) : to;
    any = true;
  }

  @Override
  public @Nullable AggregateValue value() {
    return any ? Values.single(last - first) : null;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    BooleanCoder.of().encode(any, out);
    if (any) {
      VarInt.encode(first, out);
      VarInt.encode(last - first, out);
    }
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    any = BooleanCoder.of().decode(in);
    if (any) {
      first = VarInt.decodeLong(in);
      last = first + VarInt.decodeLong(in);
    }
  }
}
