package dev.tidemark.transforms;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.BooleanCoder;
import org.apache.beam.sdk.util.VarInt;

/**
 * A firing before it is linked to others.
 *
 * @param result what it says
 * @param events how many events its value counts
 * @param closes whether the runner lets go of the window with it
 */
record Firing(WindowResult result, long events, boolean closes) {

  /** The same firing, as one whose window has closed. */
  Firing closed() {
    return new Firing(result, events, true);
  }

  /** The same firing, in the form that it is remembered in. */
  Firing withoutAccumulators() {
    return new Firing(result.withoutAccumulators(), events, closes);
  }

  /** The components in their order. */
  static final class FiringCoder extends AtomicCoder<Firing> {
    private static final FiringCoder INSTANCE = new FiringCoder();

    private FiringCoder() {}

    static FiringCoder of() {
      return INSTANCE;
    }

    @Override
    public void encode(Firing firing, OutputStream out) throws IOException {
      WindowResultCoder.of().encode(firing.result, out);
      VarInt.encode(firing.events, out);
      BooleanCoder.of().encode(firing.closes, out);
    }

    @Override
    public Firing decode(InputStream in) throws IOException {
      return new Firing(
          WindowResultCoder.of().decode(in), VarInt.decodeLong(in), BooleanCoder.of().decode(in));
    }
  }
}
