package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.event.ScalarCoder;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Comparator;
import org.apache.beam.sdk.coders.BooleanCoder;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The value of the earliest or the latest event; null for no events. Events of one time are told
 * apart by their values: the smallest counts as the earliest, the largest as the latest.
 */
final class EdgeAccumulator implements Accumulator {
  private static final Comparator<Stamped> BY_TIME =
      Comparator.comparingLong(Stamped::millis).thenComparing(Stamped::value);

  private final Comparator<Stamped> order;
  private @Nullable Stamped edge;

  private record Stamped(long millis, Scalar value) {}

  private EdgeAccumulator(Comparator<Stamped> order) {
    this.order = order;
  }

  static EdgeAccumulator earliest() {
    return new EdgeAccumulator(BY_TIME.reversed());
  }

  static EdgeAccumulator latest() {
    return new EdgeAccumulator(BY_TIME);
  }

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    keep(new Stamped(time.getMillis(), Values.present(value)));
  }

  @Override
  public void merge(Accumulator other) {
    Stamped theirs = ((EdgeAccumulator) other).edge;
    if (theirs != null) {
      keep(theirs);
    }
  }

  private void keep(Stamped stamped) {
    if (edge == null || order.compare(stamped, edge) > 0) {
      edge = stamped;
    }
  }

  @Override
  public @Nullable AggregateValue value() {
    return edge == null ? null : new AggregateValue.Single(edge.value());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    BooleanCoder.of().encode(edge != null, out);
    if (edge != null) {
      VarInt.encode(edge.millis(), out);
      ScalarCoder.of().encode(edge.value(), out);
    }
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    if (BooleanCoder.of().decode(in)) {
      edge = new Stamped(VarInt.decodeLong(in), ScalarCoder.of().decode(in));
    }
  }
}
