package dev.tidemark.transforms.reconcile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;

/** The line's text, which says everything. */
public final class ResultLineCoder extends AtomicCoder<ResultLine> {
  private static final ResultLineCoder INSTANCE = new ResultLineCoder();

  private ResultLineCoder() {}

  public static ResultLineCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(ResultLine line, OutputStream out) throws IOException {
    StringUtf8Coder.of().encode(line.text(), out);
  }

  @Override
  public ResultLine decode(InputStream in) throws IOException {
    return ResultLine.parse(StringUtf8Coder.of().decode(in));
  }
}
