package dev.tidemark.transforms.aggregate;

import dev.tidemark.policy.Aggregate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CustomCoder;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.TypeDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The number of events, the number of aggregates, then the state of each, one after the other. The
 * bytes name no aggregates, so only a coder of the same aggregates, in the same order, reads them;
 * it may have more behind those. What it reads then has accumulators of the first ones only, for
 * {@link AggregateFn} to go on with: a job's state from before aggregates were added is such.
 */
public final class AccumulatorsCoder extends CustomCoder<Accumulators> {
  private final List<Aggregate> aggregates;

  private AccumulatorsCoder(List<Aggregate> aggregates) {
    this.aggregates = List.copyOf(aggregates);
  }

  public static AccumulatorsCoder of(List<Aggregate> aggregates) {
    return new AccumulatorsCoder(aggregates);
  }

  @Override
  public void encode(Accumulators accumulators, OutputStream out) throws IOException {
    accumulators.writeTo(out);
  }

  @Override
  public Accumulators decode(InputStream in) throws IOException {
    return Accumulators.readFrom(aggregates, in);
  }

  /** The encoded accumulators as text, for a line of JSON. */
  public String toBase64(Accumulators accumulators) {
    try {
      return Base64.getEncoder().encodeToString(CoderUtils.encodeToByteArray(this, accumulators));
    } catch (CoderException e) {
      throw new UncheckedIOException("accumulators can be encoded", e);
    }
  }

  /**
   * Accumulators from their text.
   *
   * @throws IllegalArgumentException if these are not accumulators of exactly these aggregates
   */
  public Accumulators fromBase64(String text) {
    Accumulators accumulators;
    try {
      accumulators = CoderUtils.decodeFromByteArray(this, Base64.getDecoder().decode(text));
    } catch (CoderException | RuntimeException e) {
      throw new IllegalArgumentException("not accumulators of these aggregates", e);
    }
    if (accumulators.size() != aggregates.size()) {
      throw new IllegalArgumentException("accumulators of only the first of these aggregates");
    }
    return accumulators;
  }

  /**
   * {@inheritDoc}
   *
   * @throws NonDeterministicException if an aggregate is a sketch: its bytes depend on the order
   */
  @Override
  public void verifyDeterministic() throws NonDeterministicException {
    for (Aggregate aggregate : aggregates) {
      if (isSketch(aggregate)) {
        throw new NonDeterministicException(this, "the bytes of a sketch depend on the order");
      }
    }
  }

  private static boolean isSketch(Aggregate aggregate) {
    return aggregate instanceof Aggregate.Quantile
        || (aggregate instanceof Aggregate.Distinct distinct && !distinct.exact());
  }

  @Override
  public TypeDescriptor<Accumulators> getEncodedTypeDescriptor() {
    return TypeDescriptor.of(Accumulators.class);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AccumulatorsCoder that && aggregates.equals(that.aggregates);
  }

  @Override
  public int hashCode() {
    return aggregates.hashCode();
  }
}
