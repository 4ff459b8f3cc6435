package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.event.ScalarCoder;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Comparator;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The smallest or the largest number; null for no events. Of numbers that differ only in their
 * decimal places, the smallest has the fewest and the largest the most.
 */
final class ExtremeAccumulator implements Accumulator {
  private static final Coder<@Nullable Scalar> CODER = NullableCoder.of(ScalarCoder.of());

  private final Comparator<Scalar> order;
  private @Nullable Scalar extreme;

  private ExtremeAccumulator(Comparator<Scalar> order) {
    this.order = order;
  }

  static ExtremeAccumulator smallest() {
    return new ExtremeAccumulator(Comparator.reverseOrder());
  }

  static ExtremeAccumulator largest() {
    return new ExtremeAccumulator(Comparator.naturalOrder());
  }

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    keep(Values.present(value));
  }

  @Override
  public void addValue(Scalar value) {
    keep(value);
  }

  @Override
  public void merge(Accumulator other) {
    Scalar theirs = ((ExtremeAccumulator) other).extreme;
    if (theirs != null) {
      keep(theirs);
    }
  }

  private void keep(Scalar value) {
    if (extreme == null || order.compare(value, extreme) > 0) {
      extreme = value;
    }
  }

  @Override
  public @Nullable AggregateValue value() {
    return extreme == null ? null : new AggregateValue.Single(extreme);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    CODER.encode(extreme, out);
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    extreme = CODER.decode(in);
  }
}
