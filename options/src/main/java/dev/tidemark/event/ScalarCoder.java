package dev.tidemark.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.StringUtf8Coder;

/** A tag byte, then the value. Deterministic for canonical scalars. */
public final class ScalarCoder extends AtomicCoder<Scalar> {
  private static final ScalarCoder INSTANCE = new ScalarCoder();
  private static final int FALSE = 0;
  private static final int TRUE = 1;
  private static final int NUM = 2;
  private static final int TEXT = 3;

  private ScalarCoder() {}

  public static ScalarCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(Scalar value, OutputStream out) throws IOException {
    if (value instanceof Scalar.Bool bool) {
      out.write(bool.value() ? TRUE : FALSE);
    } else if (value instanceof Scalar.Num num) {
      out.write(NUM);
      DecimalCoder.of().encode(num.value(), out);
    } else if (value instanceof Scalar.Text text) {
      out.write(TEXT);
      StringUtf8Coder.of().encode(text.value(), out);
    }
  }

  @Override
  public Scalar decode(InputStream in) throws IOException {
    int tag = in.read();
    return switch (tag) {
      case FALSE -> new Scalar.Bool(false);
      case TRUE -> new Scalar.Bool(true);
      case NUM -> new Scalar.Num(DecimalCoder.of().decode(in));
      case TEXT -> new Scalar.Text(StringUtf8Coder.of().decode(in));
      default -> throw new CoderException("unknown scalar tag " + tag);
    };
  }

  @Override
  public void verifyDeterministic() {}

  @Override
  public boolean consistentWithEquals() {
    return true;
  }
}
