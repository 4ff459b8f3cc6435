package dev.tidemark.transforms;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.InstantCoder;

/** Start and end. */
public final class ResultWindowCoder extends AtomicCoder<ResultWindow> {
  private static final ResultWindowCoder INSTANCE = new ResultWindowCoder();

  private ResultWindowCoder() {}

  public static ResultWindowCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(ResultWindow window, OutputStream out) throws IOException {
    InstantCoder.of().encode(window.start(), out);
    InstantCoder.of().encode(window.end(), out);
  }

  @Override
  public ResultWindow decode(InputStream in) throws IOException {
    return new ResultWindow(InstantCoder.of().decode(in), InstantCoder.of().decode(in));
  }

  @Override
  public void verifyDeterministic() {}
}
