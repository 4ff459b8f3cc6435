package dev.tidemark.dlq;

import dev.tidemark.event.RawRecordCoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.util.VarInt;
import org.jspecify.annotations.Nullable;

/** The fields in order; the reason by name, so that the vocabulary may be reordered. */
public final class DeadLetterCoder extends AtomicCoder<DeadLetter> {
  private static final DeadLetterCoder INSTANCE = new DeadLetterCoder();
  private static final Coder<String> TEXT = StringUtf8Coder.of();
  private static final Coder<@Nullable String> NULLABLE_TEXT = NullableCoder.of(TEXT);

  private DeadLetterCoder() {}

  public static DeadLetterCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(DeadLetter deadLetter, OutputStream out) throws IOException {
    TEXT.encode(deadLetter.reason().name(), out);
    TEXT.encode(deadLetter.message(), out);
    NULLABLE_TEXT.encode(deadLetter.exception(), out);
    RawRecordCoder.of().encode(deadLetter.raw(), out);
    TEXT.encode(deadLetter.metric(), out);
    TEXT.encode(deadLetter.policyVersion(), out);
    VarInt.encode(deadLetter.attempts(), out);
  }

  @Override
  public DeadLetter decode(InputStream in) throws IOException {
    return new DeadLetter(
        Reason.valueOf(TEXT.decode(in)),
        TEXT.decode(in),
        NULLABLE_TEXT.decode(in),
        RawRecordCoder.of().decode(in),
        TEXT.decode(in),
        TEXT.decode(in),
        VarInt.decodeInt(in));
  }
}
