package dev.tidemark.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.BooleanCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.MapCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** The bytes, the arrival, then a tag for the kind of origin and its fields. */
public final class RawRecordCoder extends AtomicCoder<RawRecord> {
  private static final RawRecordCoder INSTANCE = new RawRecordCoder();
  private static final int FILE_LINE = 0;
  private static final int ATTEMPT = 1;
  private static final int TOPIC_RECORD = 2;
  private static final int MESSAGE = 3;
  private static final long UNKNOWN_LINE = 0;
  private static final Coder<byte @Nullable []> OPTIONAL_BYTES =
      NullableCoder.of(ByteArrayCoder.of());
  private static final Coder<@Nullable String> OPTIONAL_TEXT =
      NullableCoder.of(StringUtf8Coder.of());
  private static final Coder<Map<String, String>> ATTRIBUTES =
      MapCoder.of(StringUtf8Coder.of(), StringUtf8Coder.of());

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
    } else if (record.origin() instanceof Origin.TopicRecord topicRecord) {
      out.write(TOPIC_RECORD);
      encodeTopicRecord(topicRecord, out);
    } else if (record.origin() instanceof Origin.Message message) {
      out.write(MESSAGE);
      encodeMessage(message, out);
    }
  }

  private static void encodeMessage(Origin.Message message, OutputStream out) throws IOException {
    StringUtf8Coder.of().encode(message.from(), out);
    OPTIONAL_TEXT.encode(message.messageId(), out);
    InstantCoder.of().encode(message.timestamp(), out);
    OPTIONAL_TEXT.encode(message.orderingKey(), out);
    ATTRIBUTES.encode(message.attributes(), out);
  }

  private static void encodeTopicRecord(Origin.TopicRecord record, OutputStream out)
      throws IOException {
    StringUtf8Coder.of().encode(record.topic(), out);
    VarInt.encode(record.partition(), out);
    VarInt.encode(record.offset(), out);
    InstantCoder.of().encode(record.timestamp(), out);
    encodeBytes(record.key(), out);
    VarInt.encode(record.headers().size(), out);
    for (Origin.Header header : record.headers()) {
      StringUtf8Coder.of().encode(header.name(), out);
      encodeBytes(header.value(), out);
    }
    BooleanCoder.of().encode(record.tombstone(), out);
  }

  private static void encodeBytes(@Nullable Bytes bytes, OutputStream out) throws IOException {
    OPTIONAL_BYTES.encode(bytes == null ? null : bytes.array(), out);
  }

  @Override
  public RawRecord decode(InputStream in) throws IOException {
    byte[] bytes = ByteArrayCoder.of().decode(in);
    Instant arrivedAt = InstantCoder.of().decode(in);
    return new RawRecord(bytes, decodeOrigin(in), arrivedAt);
  }

  private static Origin decodeOrigin(InputStream in) throws IOException {
    int tag = in.read();
    return switch (tag) {
      case FILE_LINE -> decodeFileLine(in);
      case ATTEMPT -> new Origin.Attempt(StringUtf8Coder.of().decode(in));
      case TOPIC_RECORD -> decodeTopicRecord(in);
      case MESSAGE -> decodeMessage(in);
      default -> throw new CoderException("unknown origin tag " + tag);
    };
  }

  private static Origin decodeTopicRecord(InputStream in) throws IOException {
    String topic = StringUtf8Coder.of().decode(in);
    int partition = VarInt.decodeInt(in);
    long offset = VarInt.decodeLong(in);
    Instant timestamp = InstantCoder.of().decode(in);
    Bytes key = decodeBytes(in);
    int size = VarInt.decodeInt(in);
    List<Origin.Header> headers = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      headers.add(new Origin.Header(StringUtf8Coder.of().decode(in), decodeBytes(in)));
    }
    boolean tombstone = BooleanCoder.of().decode(in);
    return new Origin.TopicRecord(topic, partition, offset, timestamp, key, headers, tombstone);
  }

  private static Origin decodeMessage(InputStream in) throws IOException {
    return new Origin.Message(
        StringUtf8Coder.of().decode(in),
        OPTIONAL_TEXT.decode(in),
        InstantCoder.of().decode(in),
        OPTIONAL_TEXT.decode(in),
        ATTRIBUTES.decode(in));
  }

  private static @Nullable Bytes decodeBytes(InputStream in) throws IOException {
    byte[] array = OPTIONAL_BYTES.decode(in);
    return array == null ? null : new Bytes(array);
  }

  private static Origin decodeFileLine(InputStream in) throws IOException {
    String file = StringUtf8Coder.of().decode(in);
    long offset = VarInt.decodeLong(in);
    long line = VarInt.decodeLong(in);
    return new Origin.FileLine(file, offset, line == UNKNOWN_LINE ? null : line);
  }
}
