package dev.tidemark.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** The one way a line of NDJSON is written: decimals in plain notation, instants in UTC. */
public final class JsonLine {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();

  private JsonLine() {}

  /** Writes the fields of one object. */
  @FunctionalInterface
  public interface Fields {
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** One object as a line, without the line's end. */
  public static String of(Fields fields) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(line)) {
      json.writeStartObject();
      fields.writeTo(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a StringWriter does not fail", e);
    }
    return line.toString();
  }

  /** An instant as {@code 2026-07-04T10:00:00.000Z}, or null. */
  public static void writeInstant(JsonGenerator json, String field, @Nullable Instant instant)
      throws IOException {
    json.writeStringField(field, instant == null ? null : instant.toString());
  }

  /** A key as an object of the policy's names, in their order. */
  public static void writeKey(JsonGenerator json, Iterable<String> names, EventKey key)
      throws IOException {
    json.writeObjectFieldStart("key");
    writeKeyFields(json, names, key);
    json.writeEndObject();
  }

  /** The fields of a key, by the policy's names, in their order. */
  public static void writeKeyFields(JsonGenerator json, Iterable<String> names, EventKey key)
      throws IOException {
    Iterator<Scalar> values = key.values().iterator();
    for (String name : names) {
      json.writeFieldName(name);
      writeScalar(json, values.next());
    }
  }

  /** A scalar as the JSON value of its type. */
  public static void writeScalar(JsonGenerator json, Scalar scalar) throws IOException {
    if (scalar instanceof Scalar.Bool bool) {
      json.writeBoolean(bool.value());
    } else if (scalar instanceof Scalar.Num num) {
      json.writeNumber(num.value());
    } else if (scalar instanceof Scalar.Text text) {
      json.writeString(text.value());
    }
  }

  /** Raw bytes as text under {@code field}; in base64 under {@code fieldBase64} if not UTF-8. */
  public static void writeRaw(JsonGenerator json, String field, byte[] bytes) throws IOException {
    try {
      json.writeStringField(
          field, StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException notText) {
      json.writeStringField(field + "Base64", Base64.getEncoder().encodeToString(bytes));
    }
  }

  /** Where a record came from, as an object. */
  public static void writeOrigin(JsonGenerator json, Origin origin) throws IOException {
    json.writeObjectFieldStart("source");
    if (origin instanceof Origin.FileLine line) {
      json.writeStringField("file", line.file());
      if (line.line() != null) {
        json.writeNumberField("line", line.line());
      }
      json.writeNumberField("offset", line.offset());
    } else if (origin instanceof Origin.Attempt attempt) {
      json.writeStringField("attempt", attempt.attempt());
    } else if (origin instanceof Origin.TopicRecord record) {
      writeTopicRecord(json, record);
    } else if (origin instanceof Origin.Message message) {
      writeMessage(json, message);
    }
    json.writeEndObject();
  }

  private static void writeTopicRecord(JsonGenerator json, Origin.TopicRecord record)
      throws IOException {
    json.writeStringField("topic", record.topic());
    json.writeNumberField("partition", record.partition());
    json.writeNumberField("offset", record.offset());
    writeInstant(json, "timestamp", record.timestamp());
    if (record.key() != null) {
      writeRaw(json, "key", record.key().array());
    }
    json.writeArrayFieldStart("headers");
    for (Origin.Header header : record.headers()) {
      json.writeStartObject();
      json.writeStringField("name", header.name());
      if (header.value() != null) {
        writeRaw(json, "value", header.value().array());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeBooleanField("tombstone", record.tombstone());
  }

  private static void writeMessage(JsonGenerator json, Origin.Message message) throws IOException {
    json.writeStringField("pubsub", message.from());
    json.writeStringField("messageId", message.messageId());
    writeInstant(json, "timestamp", message.timestamp());
    json.writeStringField("orderingKey", message.orderingKey());
    json.writeObjectFieldStart("attributes");
    for (Map.Entry<String, String> attribute : message.attributes().entrySet()) {
      json.writeStringField(attribute.getKey(), attribute.getValue());
    }
    json.writeEndObject();
  }
}
