package dev.tidemark.dlq;

import dev.tidemark.dlq.Fields.Field;
import dev.tidemark.event.Bytes;
import dev.tidemark.event.Origin;
import dev.tidemark.event.Scalar;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what came along with a topic's record or a message: key, headers and place. A key or header
 * is text; of a header that comes several times the last one counts, as for Kafka's own clients. Of
 * a message, the headers are its attributes and the key is its ordering key.
 */
final class RecordMetadata {
  private RecordMetadata() {}

  /** Sets the fields that lead to metadata. */
  static void read(Origin origin, List<Field> fields) {
    for (Field field : fields) {
      field.set(value(origin, field.pointer().tokens()));
    }
  }

  private static @Nullable FieldValue value(Origin origin, List<String> tokens) {
    if (origin instanceof Origin.TopicRecord record) {
      return value(record, tokens);
    }
    return origin instanceof Origin.Message message ? value(message, tokens) : null;
  }

  private static @Nullable FieldValue value(Origin.TopicRecord record, List<String> tokens) {
    return switch (tokens.get(0)) {
      case "topic" -> new FieldValue.Usable(new Scalar.Text(record.topic()));
      case "partition" -> number(record.partition());
      case "offset" -> number(record.offset());
      case "timestamp" -> number(record.timestamp().getMillis());
      case "key" -> text(record.key());
      case "headers" -> text(header(record, tokens.get(1)));
      default -> null;
    };
  }

  private static @Nullable FieldValue value(Origin.Message message, List<String> tokens) {
    return switch (tokens.get(0)) {
      case "messageId" -> text(message.messageId());
      case "timestamp" -> number(message.timestamp().getMillis());
      case "key" -> text(message.orderingKey());
      case "headers" -> text(message.attributes().get(tokens.get(1)));
      default -> null;
    };
  }

  private static @Nullable Bytes header(Origin.TopicRecord record, String name) {
    Bytes value = null;
    for (Origin.Header header : record.headers()) {
      if (header.name().equals(name)) {
        value = header.value();
      }
    }
    return value;
  }

  private static FieldValue number(long value) {
    return new FieldValue.Usable(new Scalar.Num(BigDecimal.valueOf(value)));
  }

  private static @Nullable FieldValue text(@Nullable String text) {
    return text == null ? null : new FieldValue.Usable(new Scalar.Text(text));
  }

  private static @Nullable FieldValue text(@Nullable Bytes bytes) {
    if (bytes == null) {
      return null;
    }
    String text = bytes.text();
    return text == null
        ? new FieldValue.Unusable("not UTF-8")
        : new FieldValue.Usable(new Scalar.Text(text));
  }
}
