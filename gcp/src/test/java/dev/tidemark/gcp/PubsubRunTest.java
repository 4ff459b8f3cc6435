package dev.tidemark.gcp;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.kafka.Await;
import dev.tidemark.testkit.pubsub.Message;
import dev.tidemark.testkit.pubsub.PubsubServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command from subscription to topics, through Beam's own source and sink. */
class PubsubRunTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A window that is over by any clock, and whose events are not from the future. */
  private static final Instant WINDOW =
      Instant.ofEpochMilli(Instant.now().getMillis() / 60_000 * 60_000)
          .minus(Duration.standardHours(2));

  /** By when the first window is closed for good, and that of {@link #LATE} is not. */
  private static final Instant PRESENT = WINDOW.plus(Duration.standardHours(1));

  private static final Instant LATE = WINDOW.plus(Duration.standardMinutes(40));

  /** As many as the source asks for in one bundle. */
  private static final int MESSAGES_PER_PULL = 10;

  private static final int READERS = 4;

  private final PubsubServer server = PubsubServer.start(MESSAGES_PER_PULL);
  private final String orders = server.createTopic("orders");
  private final String results = server.createTopic("results");
  private final String tooLate = server.createTopic("too-late");
  private final String deadLetters = server.createTopic("dead-letters");
  @TempDir private Path directory = Path.of("");
  private int looks;

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void everyMessageEndsInAResultTheTooLateTopicOrTheDeadLetterTopic() throws Exception {
    String subscription = server.createSubscription("orders", orders, 10);
    publish(event("a", 50, 3), event("a", 10, 1), event("a", 30, 2), event("b", 20, 5));
    Message twice = event("b", 40, 7);
    publish(twice, twice);
    publish(
        message("not json", Map.of("tenant", "a", "id", "broken"), WINDOW),
        message(data(WINDOW, 9), Map.of("id", "no tenant"), WINDOW));
    Process process =
        start("--subscription=" + subscription, "--timestampAttribute=at", "--idAttribute=id");

    Await.until(
        () -> finals(WINDOW),
        containsInAnyOrder("a {\"n\":3,\"sum\":6}", "b {\"n\":2,\"sum\":12}"));
    publish(
        message(data(WINDOW, 11), Map.of("tenant", "a"), PRESENT),
        message(data(LATE, 13), Map.of("tenant", "a"), PRESENT));
    Await.until(() -> finals(LATE), hasItem("a {\"n\":1,\"sum\":13}"));
    Await.until(() -> server.messages(tooLate), hasSize(1));
    String err = stop(process);

    assertThat(line(server.messages(tooLate).get(0)).path("event").asText(), is(data(WINDOW, 11)));
    assertThat(
        server.messages(deadLetters).stream()
            .map(dead -> dead.attributes().get("reason") + " " + source(dead).path("messageId"))
            .toList(),
        containsInAnyOrder("NOT_JSON \"broken\"", "MISSING_KEY \"no tenant\""));
    assertThat(
        server.messages(deadLetters).stream()
            .filter(dead -> dead.attributes().get("reason").equals("NOT_JSON"))
            .map(dead -> source(dead).path("attributes").toString())
            .toList(),
        hasItem("{\"at\":\"" + WINDOW + "\",\"id\":\"broken\",\"tenant\":\"a\"}"));
    assertThat(err, containsString("tidemark: cancelled"));
  }

  @Test
  void aTopicIsReadByASubscriptionOfItsOwn() throws Exception {
    Process process = start("--inputTopic=" + orders);
    Await.until(() -> server.subscriptions(orders), hasSize(1));
    publish(Message.of("broken", Map.of("tenant", "a")));
    Await.until(() -> server.messages(deadLetters), hasSize(1));
    stop(process);

    Message dead = server.messages(deadLetters).get(0);
    assertThat(source(dead).path("pubsub").asText(), is(orders));
    assertThat(dead.attributes().keySet(), hasItems("metric", "policyVersion", "attempts"));
  }

  private Process start(String... options) throws IOException {
    Files.writeString(
        directory.resolve("policy.yaml"),
        """
        metric: orders
        version: "1"
        timestamp: /t
        key: {tenant: "#/headers/tenant"}
        window: {fixed: {size: 1m}}
        allowedLateness: 30m
        aggregates: {n: count, sum: {sum: /v}}
        """);
    List<String> args =
        Stream.of(
                Stream.of(
                    "run",
                    "--policy=policy.yaml",
                    "--targetParallelism=1",
                    "--outputPubsubTopic=" + results,
                    "--tooLatePubsubTopic=" + tooLate,
                    "--deadLetterPubsubTopic=" + deadLetters),
                Stream.of(options),
                server.arguments().stream())
            .flatMap(each -> each)
            .toList();
    return Command.process(directory, args.toArray(String[]::new))
        .redirectError(directory.resolve("err").toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Interrupts it, as a user would. */
  private String stop(Process process) throws IOException, InterruptedException {
    process.destroy();
    process.waitFor();
    return Files.readString(directory.resolve("err"));
  }

  private void publish(Message... messages) {
    server.publish(orders, messages);
  }

  private static Message event(String tenant, int second, int value) {
    Instant time = WINDOW.plus(Duration.standardSeconds(second));
    return message(data(time, value), Map.of("tenant", tenant, "id", tenant + value), time);
  }

  private static String data(Instant time, int value) {
    return "{\"t\":\"%s\",\"v\":%d}".formatted(time, value);
  }

  private static Message message(String data, Map<String, String> attributes, Instant stamp) {
    Map<String, String> all = new TreeMap<>(attributes);
    all.put("at", stamp.toString());
    return Message.of(data, all);
  }

  /** The final values of a window; keeps the stream going meanwhile. */
  private List<String> finals(Instant window) {
    beat();
    return server.messages(results).stream()
        .filter(message -> message.attributes().get("resultKind").equals("FINAL"))
        .map(PubsubRunTest::line)
        .filter(line -> line.path("windowStart").asText().equals(window.toString()))
        .map(line -> line.at("/key/tenant").asText() + " " + line.path("value"))
        .toList();
  }

  /**
   * The source believes a watermark once each of its readers had a handful of messages, for some
   * seconds, none of which is older; so now and then each reader gets some of the present.
   */
  private void beat() {
    if (looks++ % 100 == 0) {
      Message beat = message(data(PRESENT, 0), Map.of("tenant", "beat"), PRESENT);
      for (int i = 0; i < READERS * MESSAGES_PER_PULL; i++) {
        publish(beat);
      }
    }
  }

  private static JsonNode source(Message message) {
    return line(message).path("source");
  }

  private static JsonNode line(Message message) {
    try {
      return JSON.readTree(message.data());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
