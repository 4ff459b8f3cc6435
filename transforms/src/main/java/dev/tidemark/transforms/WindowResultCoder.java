package dev.tidemark.transforms;

import dev.tidemark.event.EventKeyCoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.BooleanCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** The components of a result in their order; the kind by its name. */
public final class WindowResultCoder extends AtomicCoder<WindowResult> {
  private static final WindowResultCoder INSTANCE = new WindowResultCoder();
  private static final Coder<@Nullable ResultWindow> WINDOW =
      NullableCoder.of(ResultWindowCoder.of());
  private static final Coder<@Nullable Instant> WATERMARK = NullableCoder.of(InstantCoder.of());
  private static final Coder<List<@Nullable AggregateValue>> VALUE =
      ListCoder.of(NullableCoder.of(AggregateValueCoder.of()));
  private static final Coder<List<ResultWindow>> SUPERSEDES = ListCoder.of(ResultWindowCoder.of());
  private static final Coder<@Nullable String> ACCUMULATORS =
      NullableCoder.of(StringUtf8Coder.of());
  private static final Coder<List<String>> CORRECTS = ListCoder.of(StringUtf8Coder.of());

  private WindowResultCoder() {}

  public static WindowResultCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(WindowResult result, OutputStream out) throws IOException {
    EventKeyCoder.of().encode(result.key(), out);
    WINDOW.encode(result.window(), out);
    StringUtf8Coder.of().encode(result.kind().name(), out);
    VarInt.encode(result.firingSequence(), out);
    BooleanCoder.of().encode(result.isLast(), out);
    WATERMARK.encode(result.watermark(), out);
    InstantCoder.of().encode(result.computedAt(), out);
    VALUE.encode(result.value(), out);
    SUPERSEDES.encode(result.supersedes(), out);
    ACCUMULATORS.encode(result.accumulators(), out);
    CORRECTS.encode(result.corrects(), out);
  }

  @Override
  public WindowResult decode(InputStream in) throws IOException {
    return new WindowResult(
        EventKeyCoder.of().decode(in),
        WINDOW.decode(in),
        ResultKind.valueOf(StringUtf8Coder.of().decode(in)),
        VarInt.decodeLong(in),
        BooleanCoder.of().decode(in),
        WATERMARK.decode(in),
        InstantCoder.of().decode(in),
        VALUE.decode(in),
        SUPERSEDES.decode(in),
        ACCUMULATORS.decode(in),
        CORRECTS.decode(in));
  }
}
