package dev.tidemark.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.joda.time.Instant;
import org.joda.time.format.ISODateTimeFormat;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a line that {@link JsonLine} has written. Each method throws {@link
 * IllegalArgumentException} that names the field and what is allowed, if the field is not of that
 * kind. Not for the records of users: parse those by their policy.
 */
public final class JsonFields {
  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxStringLength(Integer.MAX_VALUE) // accumulators keep whole sets
                          .maxNumberLength(100_000) // sums are exact
                          .build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final JsonNode object;

  private JsonFields(JsonNode object) {
    this.object = object;
  }

  /** The fields of a line. */
  public static JsonFields of(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      if (!node.isObject()) {
        throw new IllegalArgumentException("not a JSON object");
      }
      return new JsonFields(node);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not one well-formed JSON object", e);
    }
  }

  /** Whether the field is there, with whatever value. */
  public boolean has(String field) {
    return object.has(field);
  }

  public String text(String field) {
    JsonNode value = object.path(field);
    if (!value.isTextual()) {
      throw wrong(field, "text");
    }
    return value.textValue();
  }

  /** The text; null if the field is not there. */
  public @Nullable String textIfAny(String field) {
    return has(field) ? text(field) : null;
  }

  /** The text, or null where the field says null. */
  public @Nullable String textOrNull(String field) {
    return object.path(field).isNull() ? null : text(field);
  }

  /** The texts of a list; none if the field is not there. */
  public List<String> texts(String field) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : object.path(field)) {
      if (!item.isTextual()) {
        throw wrong(field, "a list of texts");
      }
      texts.add(item.textValue());
    }
    return texts;
  }

  public Instant instant(String field) {
    Instant instant = instantOrNull(field);
    if (instant == null) {
      throw wrong(field, "an instant as 2026-07-04T10:00:00.000Z");
    }
    return instant;
  }

  /** The instant, or null where the field says null. */
  public @Nullable Instant instantOrNull(String field) {
    if (object.path(field).isNull()) {
      return null;
    }
    try {
      return ISODateTimeFormat.dateTime().parseDateTime(text(field)).toInstant();
    } catch (IllegalArgumentException e) {
      throw wrong(field, "null or an instant as 2026-07-04T10:00:00.000Z");
    }
  }

  /** A whole number, 0 or more. */
  public long count(String field) {
    JsonNode value = object.path(field);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw wrong(field, "a whole number from 0");
    }
    return value.longValue();
  }

  public boolean truth(String field) {
    JsonNode value = object.path(field);
    if (!value.isBoolean()) {
      throw wrong(field, "true or false");
    }
    return value.booleanValue();
  }

  /** One of the names of an enumeration. */
  public <E extends Enum<E>> E oneOf(Class<E> type, String field) {
    try {
      return Enum.valueOf(type, text(field));
    } catch (IllegalArgumentException e) {
      throw wrong(field, "one of " + Arrays.toString(type.getEnumConstants()));
    }
  }

  /** The values of an object's fields, by name and in order. */
  public Map<String, JsonNode> values(String field) {
    JsonNode value = object.path(field);
    if (!value.isObject()) {
      throw wrong(field, "an object");
    }
    Map<String, JsonNode> values = new LinkedHashMap<>();
    value.properties().forEach(entry -> values.put(entry.getKey(), entry.getValue()));
    return values;
  }

  /** The scalar that {@link JsonLine#writeScalar} wrote. */
  public static Scalar scalar(JsonNode value) {
    if (value.isNumber()) {
      return new Scalar.Num(value.decimalValue());
    } else if (value.isBoolean()) {
      return new Scalar.Bool(value.booleanValue());
    } else if (value.isTextual()) {
      return new Scalar.Text(value.textValue());
    }
    throw new IllegalArgumentException("a list or an object where a scalar must be");
  }

  /** The bytes that {@link JsonLine#writeRaw} wrote. */
  public byte[] raw(String field) {
    if (!has(field + "Base64")) {
      return text(field).getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Base64.getDecoder().decode(text(field + "Base64"));
    } catch (IllegalArgumentException e) {
      throw wrong(field + "Base64", "base64");
    }
  }

  /** What {@link JsonLine#writeOrigin} wrote. */
  public Origin origin() {
    if (!object.path("source").isObject()) {
      throw wrong(
          "source", "an object with file and offset, topic, partition and offset, or pubsub");
    }
    JsonFields source = new JsonFields(object.path("source"));
    if (source.has("attempt")) {
      return new Origin.Attempt(source.text("attempt"));
    }
    if (source.has("topic")) {
      return source.topicRecord();
    }
    if (source.has("pubsub")) {
      return source.message();
    }
    Long line = source.has("line") ? source.count("line") : null;
    return new Origin.FileLine(source.text("file"), source.count("offset"), line);
  }

  private Origin topicRecord() {
    return new Origin.TopicRecord(
        text("topic"),
        (int) count("partition"),
        count("offset"),
        instant("timestamp"),
        bytesIfAny("key"),
        headers(),
        truth("tombstone"));
  }

  private Origin message() {
    Map<String, String> attributes = new LinkedHashMap<>();
    JsonFields texts = new JsonFields(object.path("attributes"));
    values("attributes").keySet().forEach(name -> attributes.put(name, texts.text(name)));
    return new Origin.Message(
        text("pubsub"),
        textOrNull("messageId"),
        instant("timestamp"),
        textOrNull("orderingKey"),
        attributes);
  }

  private List<Origin.Header> headers() {
    List<Origin.Header> headers = new ArrayList<>();
    for (JsonNode node : object.path("headers")) {
      JsonFields header = new JsonFields(node);
      headers.add(new Origin.Header(header.text("name"), header.bytesIfAny("value")));
    }
    return headers;
  }

  private @Nullable Bytes bytesIfAny(String field) {
    return has(field) || has(field + "Base64") ? new Bytes(raw(field)) : null;
  }

  private IllegalArgumentException wrong(String field, String allowed) {
    String problem = has(field) ? " is not allowed" : " is missing";
    return new IllegalArgumentException(field + problem + "; allowed: " + allowed);
  }
}
