package dev.tidemark.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.util.VarInt;

/** The bytes, the arrival, then a tag for the kind of origin and its fields. */
public final class RawRecordCoder extends AtomicCoder<RawRecord> {
  private static final RawRecordCoder INSTANCE = new RawRecordCoder();
  private static final int FILE_LINE = 0;
  private static final int ATTEMPT = 1;
  private static final long UNKNOWN_LINE = 0;

  private RawRecordCoder() {}

  public static RawRecordCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(RawRecord record, OutputStream out) throws IOException {
    ByteArrayCoder.of().encode(record.bytes(), out);
    InstantCoder.of().encode(record.arrivedAt(), out);
    if (record.origin() instanceof Origin.FileLine line) {
      out.write(FILE_LINE);
      StringUtf8Coder.of().encode(line.file(), out);
      VarInt.encode(line.offset(), out);
      VarInt.encode(line.line() == null ? UNKNOWN_LINE : line.line(), out);
    } else if (record.origin() instanceof Origin.Attempt attempt) {
      out.write(ATTEMPT);
      StringUtf8Coder.of().encode(attempt.attempt(), out);
    }
  }

  @Override
  public RawRecord decode(InputStream in) throws IOException {
    byte[] bytes = ByteArrayCoder.of().decode(in);
    var arrivedAt = InstantCoder.of().decode(in);
    return new RawRecord(bytes, decodeOrigin(in), arrivedAt);
  }

  private static Origin decodeOrigin(InputStream in) throws IOException {
    int tag = in.read();
    return switch (tag) {
      case FILE_LINE -> decodeFileLine(in);
      case ATTEMPT -> new Origin.Attempt(StringUtf8Coder.of().decode(in));
      default -> throw new CoderException("unknown origin tag " + tag);
    };
  }

  private static Origin decodeFileLine(InputStream in) throws IOException {
    String file = StringUtf8Coder.of().decode(in);
    long offset = VarInt.decodeLong(in);
    long line = VarInt.decodeLong(in);
    return new Origin.FileLine(file, offset, line == UNKNOWN_LINE ? null : line);
  }
}
