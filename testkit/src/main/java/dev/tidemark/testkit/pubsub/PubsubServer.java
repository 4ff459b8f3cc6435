package dev.tidemark.testkit.pubsub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.tidemark.testkit.http.LoopbackServer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.extensions.gcp.auth.NoopCredentialFactory;

/**
 * Pub/Sub in this process, for tests: a server of the JSON API on a free port of the loopback
 * interface. Beam's {@code PubsubIO}, unmodified, talks to it once its options are set ({@link
 * #arguments}). It gives out again what is not acknowledged in time, and holds publishers to the
 * limits of the service. Messages are in memory and gone with the server. It asks for no
 * credentials.
 *
 * <p>It does not keep messages of one ordering key in order, and has no filters. It refuses a call
 * that it does not know with status 400 and says so.
 */
public final class PubsubServer implements AutoCloseable {
  /** The project of everything in it. */
  public static final String PROJECT = "tidemark-test";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PATH =
      Pattern.compile("/v1/(projects/[^/]+/(topics|subscriptions)/[^/:]+)(?::([a-zA-Z]+))?");
  private static final int MAX_REQUEST_BYTES = 10_000_000;

  private final Map<String, List<Message>> topics = new ConcurrentHashMap<>();
  private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
  private final AtomicLong lastMessageId = new AtomicLong();
  private final int messagesPerPull;
  private final LoopbackServer http;

  private PubsubServer(int messagesPerPull) {
    this.messagesPerPull = messagesPerPull;
    http = LoopbackServer.start(this::serve);
  }

  /**
   * A running server without topics.
   *
   * @param messagesPerPull how many it gives out at once, at most: so that several readers get some
   */
  public static PubsubServer start(int messagesPerPull) {
    return new PubsubServer(messagesPerPull);
  }

  /** What a command line needs to talk to this server. */
  public List<String> arguments() {
    return List.of(
        "--pubsubRootUrl=" + http.url(),
        "--credentialFactoryClass=" + NoopCredentialFactory.class.getName(),
        "--project=" + PROJECT);
  }

  /** Makes a topic, and gives its full name. */
  public String createTopic(String name) {
    String path = "projects/" + PROJECT + "/topics/" + name;
    topics.put(path, new CopyOnWriteArrayList<>());
    return path;
  }

  /**
   * Makes a subscription, and gives its full name.
   *
   * @param topic the topic's full name
   * @param ackDeadlineSeconds after which a message is given out again
   */
  public String createSubscription(String name, String topic, int ackDeadlineSeconds) {
    String path = "projects/" + PROJECT + "/subscriptions/" + name;
    subscriptions.put(path, new Subscription(topic, ackDeadlineSeconds));
    return path;
  }

  /** The full names of the subscriptions of a topic, those too that a client has made. */
  public List<String> subscriptions(String topic) {
    return subscriptions.entrySet().stream()
        .filter(entry -> entry.getValue().topic().equals(topic))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Publishes to a topic, by its full name. */
  public void publish(String topic, Message... messages) {
    for (Message message : messages) {
      publish(topic, message);
    }
  }

  private String publish(String topic, Message message) {
    String id = String.valueOf(lastMessageId.incrementAndGet());
    ObjectNode json =
        message.json().put("messageId", id).put("publishTime", Instant.now().toString());
    topics.get(topic).add(message);
    subscriptions.values().stream()
        .filter(subscription -> subscription.topic().equals(topic))
        .forEach(subscription -> subscription.add(json));
    return id;
  }

  /** All that was published to a topic, by its full name, in order. */
  public List<Message> messages(String topic) {
    return List.copyOf(topics.get(topic));
  }

  /** How many messages of a subscription, by its full name, nobody has acknowledged. */
  public int unacknowledged(String subscription) {
    return subscriptions.get(subscription).unacknowledged();
  }

  @Override
  public void close() {
    http.close();
  }

  private void serve(HttpExchange exchange) throws IOException {
    Answer answer = answer(exchange);
    LoopbackServer.answer(exchange, answer.status(), answer.body());
  }

  private record Answer(int status, ObjectNode body) {
    static Answer ok(ObjectNode body) {
      return new Answer(200, body);
    }

    static Answer error(int status, String message) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      body.putObject("error").put("code", status).put("message", message);
      return new Answer(status, body);
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    String path = exchange.getRequestURI().getPath();
    byte[] sent = LoopbackServer.body(exchange);
    JsonNode request = sent.length == 0 ? JSON.createObjectNode() : JSON.readTree(sent);
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      return Answer.error(400, "unknown: " + method + " " + path);
    }
    String name = matcher.group(1);
    String verb = matcher.group(3) == null ? method : matcher.group(3);
    if (sent.length > MAX_REQUEST_BYTES) {
      return Answer.error(400, "a request of more than 10 MB");
    }
    return matcher.group(2).equals("topics")
        ? topic(name, verb, request)
        : subscription(name, verb, request);
  }

  private Answer topic(String name, String verb, JsonNode request) {
    if (!topics.containsKey(name)) {
      return Answer.error(404, "no topic " + name);
    }
    return switch (verb) {
      case "GET" -> Answer.ok(JsonNodeFactory.instance.objectNode().put("name", name));
      case "publish" -> publish(name, request.path("messages"));
      default -> Answer.error(400, "unknown: " + verb);
    };
  }

  private Answer publish(String topic, JsonNode messages) {
    for (JsonNode message : messages) {
      String problem = Message.of(message).problem();
      if (problem != null) {
        return Answer.error(400, problem);
      }
    }
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode ids = answer.putArray("messageIds");
    messages.forEach(message -> ids.add(publish(topic, Message.of(message))));
    return Answer.ok(answer);
  }

  private Answer subscription(String name, String verb, JsonNode request) {
    if (verb.equals("PUT")) {
      subscriptions.put(
          name,
          new Subscription(
              request.path("topic").asText(), request.path("ackDeadlineSeconds").asInt(10)));
      return Answer.ok(request.deepCopy());
    }
    Subscription subscription = subscriptions.get(name);
    if (subscription == null) {
      return Answer.error(404, "no subscription " + name);
    }
    JsonNode ackIds = request.path("ackIds");
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    switch (verb) {
      case "GET" ->
          answer
              .put("name", name)
              .put("topic", subscription.topic())
              .put("ackDeadlineSeconds", subscription.ackDeadlineSeconds());
      case "DELETE" -> subscriptions.remove(name);
      case "pull" ->
          subscription.pull(
              Math.min(messagesPerPull, request.path("maxMessages").asInt()),
              answer.putArray("receivedMessages"));
      case "acknowledge" -> subscription.acknowledge(ackIds);
      case "modifyAckDeadline" ->
          subscription.modifyAckDeadline(ackIds, request.path("ackDeadlineSeconds").asInt());
      default -> {
        return Answer.error(400, "unknown: " + verb);
      }
    }
    return Answer.ok(answer);
  }
}
