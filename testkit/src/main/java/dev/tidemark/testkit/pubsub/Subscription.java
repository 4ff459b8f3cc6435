package dev.tidemark.testkit.pubsub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The messages of a subscription that nobody has acknowledged, and who has them for how long. */
final class Subscription {
  private final String topic;
  private final int ackDeadlineSeconds;
  private final Map<String, Held> unacknowledged = new LinkedHashMap<>();
  private int lastMessage;

  Subscription(String topic, int ackDeadlineSeconds) {
    this.topic = topic;
    this.ackDeadlineSeconds = ackDeadlineSeconds;
  }

  /** A message that may be given out again after an instant. */
  private static final class Held {
    final ObjectNode message;
    Instant until = Instant.MIN;

    Held(ObjectNode message) {
      this.message = message;
    }
  }

  String topic() {
    return topic;
  }

  int ackDeadlineSeconds() {
    return ackDeadlineSeconds;
  }

  synchronized int unacknowledged() {
    return unacknowledged.size();
  }

  synchronized void add(ObjectNode message) {
    lastMessage++;
    unacknowledged.put("ack-" + lastMessage, new Held(message));
  }

  /** Gives out messages that nobody has, the oldest first. */
  synchronized void pull(int most, ArrayNode received) {
    Instant now = Instant.now();
    List<Map.Entry<String, Held>> free = new ArrayList<>();
    for (Map.Entry<String, Held> entry : unacknowledged.entrySet()) {
      if (free.size() < most && !entry.getValue().until.isAfter(now)) {
        free.add(entry);
      }
    }
    for (Map.Entry<String, Held> entry : free) {
      entry.getValue().until = now.plusSeconds(ackDeadlineSeconds);
      received.addObject().put("ackId", entry.getKey()).set("message", entry.getValue().message);
    }
  }

  synchronized void acknowledge(JsonNode ackIds) {
    ackIds.forEach(id -> unacknowledged.remove(id.asText()));
  }

  /** From now on; 0 gives the messages back. */
  synchronized void modifyAckDeadline(JsonNode ackIds, int seconds) {
    Instant until = Instant.now().plus(Duration.ofSeconds(seconds));
    for (JsonNode id : ackIds) {
      Held held = unacknowledged.get(id.asText());
      if (held != null) {
        held.until = until;
      }
    }
  }
}
