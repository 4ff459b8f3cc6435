package dev.tidemark.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.BigDecimalCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.util.VarInt;

/**
 * The scale, then the unscaled value: the bytes of a nested {@link BigDecimalCoder}, which formats
 * a message for each value that it encodes, and takes ten times as long with it.
 */
public final class DecimalCoder extends AtomicCoder<BigDecimal> {
  private static final DecimalCoder INSTANCE = new DecimalCoder();

  private DecimalCoder() {}

  public static DecimalCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(BigDecimal value, OutputStream out) throws IOException {
    VarInt.encode(value.scale(), out);
    ByteArrayCoder.of().encode(value.unscaledValue().toByteArray(), out);
  }

  @Override
  public BigDecimal decode(InputStream in) throws IOException {
    int scale = VarInt.decodeInt(in);
    return new BigDecimal(new BigInteger(ByteArrayCoder.of().decode(in)), scale);
  }

  @Override
  public void verifyDeterministic() {}

  @Override
  public boolean consistentWithEquals() {
    return true;
  }
}
