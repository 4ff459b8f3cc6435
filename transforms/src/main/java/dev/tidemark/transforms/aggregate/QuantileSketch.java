package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.DoubleCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.quantilescommon.QuantileSearchCriteria;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The smallest number that at least the share {@code q} of all numbers does not exceed, by a KLL
 * sketch (Karnin, Lang, Liberty, "Optimal Quantile Approximation in Streams", 2016) with k = 200;
 * null for no events.
 *
 * <p>Exact for up to 200 numbers. Beyond, the sketch drops numbers at random, so two runs may give
 * different answers: with 99 % confidence each is a number whose true rank lies within 1.33
 * percentage points of {@code q}. Numbers are rounded to doubles, those beyond the largest double
 * to the largest.
 */
final class QuantileSketch implements Accumulator {
  private static final int K = 200;
  private static final Coder<@Nullable Double> ONLY = NullableCoder.of(DoubleCoder.of());
  private static final Coder<byte @Nullable []> SKETCH = NullableCoder.of(ByteArrayCoder.of());

  private final double q;
  // A sketch allocates its array at once, which would be wasteful for the accumulator of one event.
  private @Nullable Double only;
  private @Nullable KllDoublesSketch sketch;

  QuantileSketch(double q) {
    this.q = q;
  }

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    add(nearestDouble(Values.number(value)));
  }

  private void add(double number) {
    if (only == null && sketch == null) {
      only = number;
    } else {
      sketch().update(number);
    }
  }

  @Override
  public void merge(Accumulator other) {
    QuantileSketch that = (QuantileSketch) other;
    if (that.only != null) {
      add(that.only);
    } else if (that.sketch != null && only == null && sketch == null) {
      // Merged into an empty sketch, a full one may drop numbers; a copy gives the same value.
      sketch = KllDoublesSketch.heapify(Memory.wrap(that.sketch.toByteArray()));
    } else if (that.sketch != null) {
      sketch().merge(that.sketch);
    }
  }

  private KllDoublesSketch sketch() {
    if (sketch == null) {
      sketch = KllDoublesSketch.newHeapInstance(K);
      if (only != null) {
        sketch.update(only);
        only = null;
      }
    }
    return sketch;
  }

  @Override
  public @Nullable AggregateValue value() {
    if (only != null) {
      return Values.single(BigDecimal.valueOf(only));
    }
    if (sketch == null) {
      return null;
    }
    // Asked for a quantile, a sketch on the heap sorts its own array; this read-only one does not.
    KllDoublesSketch copy = KllDoublesSketch.wrap(Memory.wrap(sketch.toByteArray()));
    return Values.single(BigDecimal.valueOf(copy.getQuantile(q, QuantileSearchCriteria.INCLUSIVE)));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    ONLY.encode(only, out);
    SKETCH.encode(sketch == null ? null : sketch.toByteArray(), out);
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    only = ONLY.decode(in);
    byte[] bytes = SKETCH.decode(in);
    sketch = bytes == null ? null : KllDoublesSketch.heapify(Memory.wrap(bytes));
  }

  private static double nearestDouble(BigDecimal number) {
    return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, number.doubleValue()));
  }
}
