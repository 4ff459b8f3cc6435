package dev.tidemark.testkit.pubsub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message, as it is published.
 *
 * @param data never changed
 * @param orderingKey null if it has none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Message(byte[] data, Map<String, String> attributes, @Nullable String orderingKey) {

  /** A message of text. */
  public static Message of(String text, Map<String, String> attributes) {
    return new Message(text.getBytes(StandardCharsets.UTF_8), attributes, null);
  }

  /** The data as text. */
  public String text() {
    return new String(data, StandardCharsets.UTF_8);
  }

  static Message of(JsonNode json) {
    Map<String, String> attributes = new TreeMap<>();
    json.path("attributes")
        .properties()
        .forEach(attribute -> attributes.put(attribute.getKey(), attribute.getValue().asText()));
    return new Message(
        Base64.getDecoder().decode(json.path("data").asText()),
        attributes,
        json.path("orderingKey").textValue());
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("data", Base64.getEncoder().encodeToString(data));
    ObjectNode pairs = json.putObject("attributes");
    attributes.forEach(pairs::put);
    if (orderingKey != null) {
      json.put("orderingKey", orderingKey);
    }
    return json;
  }

  /** What the service refuses it for; null if it takes it. */
  @Nullable String problem() {
    if (data.length == 0 && attributes.isEmpty()) {
      return "a message has data or an attribute";
    } else if (data.length > 10_000_000) {
      return "data of more than 10 MB";
    } else if (attributes.size() > 100) {
      return "more than 100 attributes";
    } else if (attributes.keySet().stream().anyMatch(name -> bytes(name) > 256)) {
      return "an attribute's name of more than 256 bytes";
    } else if (attributes.values().stream().anyMatch(value -> bytes(value) > 1024)) {
      return "an attribute's value of more than 1,024 bytes";
    }
    return null;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
