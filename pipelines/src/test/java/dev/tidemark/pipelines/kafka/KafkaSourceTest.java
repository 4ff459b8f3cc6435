package dev.tidemark.pipelines.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines over topics of a real broker. */
class KafkaSourceTest {
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final String SOON = "--consumerConfig=metadata.max.age.ms=200";
  private static final AtomicInteger TOPICS = new AtomicInteger();
  private static KafkaBroker broker;

  private String topic = "";

  @BeforeAll
  static void startBroker() {
    broker = KafkaBroker.start();
  }

  @AfterAll
  static void closeBroker() {
    broker.close();
  }

  @BeforeEach
  void nameTopic() {
    topic = "topic-" + TOPICS.incrementAndGet();
  }

  @Test
  void everyRecordIsCountedTooLateOrADeadLetterAndTheLatestViewIsTheReferences() throws Exception {
    broker.createTopic(topic, 3);
    Random random = new Random(7);
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    Map<String, Long> reference = new HashMap<>();
    for (int second = 0; second < 1_200; second++) {
      int partition = second % 3;
      if (random.nextInt(10) < 3) {
        records.add(record(partition, poison(random)));
      } else {
        Instant time = at(second - random.nextInt(60)); // as much disorder as the policy takes
        String key = "k" + random.nextInt(4);
        records.add(record(partition, event(key, time)));
        reference.merge(key + " " + minute(time), 1L, Long::sum);
      }
    }
    broker.produce(records);

    try (LiveRun run = start(policy(), "--startFrom=earliest")) {
      Await.until(() -> finalWindows(run), hasItem(at(600).toString()));
      broker.produce(List.of(record(0, event("k0", at(0))), record(2, event("k1", at(61)))));
      Await.until(() -> run.counts().read(), is(1_202L));
      run.stop();

      assertThat(
          run.lines("too-late").stream().map(KafkaSourceTest::keyAndWindow).toList(),
          containsInAnyOrder("k0 " + at(0), "k1 " + at(60)));
      assertThat(latestView(run), is(reference));
      assertThat(run.imbalances(), is(empty()));
      assertThat(
          run.counts().deadLetters(),
          is(1_200 - reference.values().stream().mapToLong(n -> n).sum()));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSilentPartitionDoesNotHoldTheWindows(boolean deliveredOnce) throws Exception {
    broker.createTopic(topic, 3);
    if (deliveredOnce) {
      broker.produce(List.of(record(2, event("silent", at(-120)))));
    }
    broker.produce(List.of(record(0, event("a", at(0))), record(1, event("b", at(1)))));

    try (LiveRun run = start(policy(), "--startFrom=earliest")) {
      Await.until(() -> finalWindows(run), hasItem(at(0).toString()));
    }
  }

  @Test
  void aBrokerThatIsRestartedMidRunLosesNothing() throws Exception {
    broker.createTopic(topic, 2);
    broker.produce(List.of(record(0, event("a", at(0))), record(1, event("b", at(0)))));

    try (LiveRun run = start(policy("1h"), "--startFrom=earliest")) {
      Await.until(() -> run.counts().read(), is(2L));
      broker.stop();
      broker.restart();
      broker.produce(List.of(record(0, event("a", at(86_400))), record(1, event("b", at(86_400)))));
      Await.until(() -> run.counts().read(), is(4L));
      run.stop();

      assertThat(
          latestView(run),
          is(
              Map.of(
                  "a " + at(0),
                  1L,
                  "b " + at(0),
                  1L,
                  "a " + at(86_400),
                  1L,
                  "b " + at(86_400),
                  1L)));
      assertThat(run.imbalances(), is(empty()));
    }
  }

  @Test
  void partitionsAddedMidRunAreReadByTheSameRunEachOnce() throws Exception {
    broker.createTopic(topic, 2);
    broker.produce(List.of(record(0, event("old", at(0))), record(1, event("old", at(1)))));

    try (LiveRun run = start(policy("24h"), "--startFrom=latest", SOON)) {
      Await.until(run::isReading, is(true));
      broker.growTopic(topic, 7);
      List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
      for (int second = 0; second < 70; second++) {
        records.add(record(second % 7, event("k" + second % 7, at(second % 60))));
      }
      broker.produce(records);
      Await.until(() -> run.counts().read(), is(70L));
      run.stop();

      assertThat(
          latestView(run),
          is(
              IntStream.range(0, 7)
                  .boxed()
                  .collect(Collectors.toMap(k -> "k" + k + " " + at(0), k -> 10L))));
      assertThat(run.imbalances(), is(empty()));
    }
  }

  @ParameterizedTest
  @CsvSource({"earliest, 3", "latest, 0", "committed, 1", "2026-07-04T10:00:02Z, 1"})
  void beginsWhereItIsToldToWhateverItsGroupHasCommitted(String startFrom, long before)
      throws Exception {
    broker.createTopic(topic, 1);
    String group = "--consumerConfig=group.id=" + topic;
    broker.produce(List.of(stamped(at(0)), stamped(at(1))));
    try (LiveRun run = start(policy(), "--startFrom=earliest", group)) {
      Await.until(() -> run.counts().read(), is(2L));
      run.stop();
    }
    broker.produce(List.of(stamped(at(2))));

    try (LiveRun run = start(policy(), "--startFrom=" + startFrom, group)) {
      Await.until(run::isReading, is(true));
      broker.produce(List.of(stamped(at(3)), stamped(at(4))));
      Await.until(() -> run.counts().read(), is(before + 2));
      run.stop();
      assertThat(run.counts().read(), is(before + 2));
    }
  }

  @Test
  void aPolicyReadsKeyAndHeadersAndDeadLettersKeepThem() throws Exception {
    broker.createTopic(topic, 1);
    ProducerRecord<byte[], byte[]> good = record(0, "{\"v\":1}", at(0), "a");
    good.headers().add(new RecordHeader("tenant", "t-1".getBytes(UTF_8)));
    ProducerRecord<byte[], byte[]> tombstone = record(0, null, at(0), "a");
    broker.produce(List.of(good, tombstone));

    Policy policy =
        load(
            """
            metric: of-headers
            version: "1"
            timestamp: "#/timestamp"
            key: {k: "#/headers/tenant", id: "#/key", topic: "#/topic"}
            window: {fixed: {size: 1m}}
            aggregates: {n: count, last: {max: "#/offset"}}
            """);
    try (LiveRun run = start(policy, "--startFrom=earliest")) {
      Await.until(() -> run.counts().read(), is(2L));
      run.stop();

      JsonNode result = run.lines("results").get(0);
      assertThat(
          result.get("key").toString(),
          is("{\"k\":\"t-1\",\"id\":\"a\",\"topic\":\"" + topic + "\"}"));
      JsonNode deadLetter = run.lines("dead-letters").get(0);
      assertThat(deadLetter.get("reason").textValue(), is("TOMBSTONE"));
      assertThat(deadLetter.at("/source/key").textValue(), is("a"));
      assertThat(deadLetter.at("/source/offset").longValue(), is(1L));
    }
  }

  private LiveRun start(Policy policy, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--bootstrapServers=" + broker.bootstrapServers());
    all.add("--topic=" + topic);
    return LiveRun.start(policy, all.toArray(String[]::new));
  }

  private ProducerRecord<byte[], byte[]> record(int partition, @Nullable String value) {
    return record(partition, value, at(0), null);
  }

  private ProducerRecord<byte[], byte[]> stamped(Instant time) {
    return record(0, event("a", time), time, null);
  }

  private ProducerRecord<byte[], byte[]> record(
      int partition, @Nullable String value, Instant stamp, @Nullable String key) {
    return new ProducerRecord<>(
        topic,
        partition,
        stamp.getMillis(),
        key == null ? null : key.getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8));
  }

  private static String event(String key, Instant time) {
    return "{\"k\":\"" + key + "\",\"t\":\"" + time + "\"}";
  }

  private static @Nullable String poison(Random random) {
    String[] all = {
      null, "", "no json", "[]", "{\"k\":\"a\"}", "{\"k\":\"a\",\"t\":\"2099-01-01T00:00:00Z\"}"
    };
    return all[random.nextInt(all.length)];
  }

  /** The starts of the windows that have a final result. */
  private static List<String> finalWindows(LiveRun run) throws IOException {
    return run.lines("results").stream()
        .filter(result -> result.get("resultKind").textValue().equals("FINAL"))
        .map(result -> result.get("windowStart").textValue())
        .toList();
  }

  /** The count of the highest firing of each key and window. */
  private static Map<String, Long> latestView(LiveRun run) throws IOException {
    Map<String, JsonNode> latest = new HashMap<>();
    for (JsonNode result : run.lines("results")) {
      latest.merge(keyAndWindow(result), result, KafkaSourceTest::later);
    }
    Map<String, Long> counts = new HashMap<>();
    latest.forEach((window, result) -> counts.put(window, result.at("/value/n").longValue()));
    return counts;
  }

  private static JsonNode later(JsonNode a, JsonNode b) {
    return a.get("firingSequence").longValue() > b.get("firingSequence").longValue() ? a : b;
  }

  private static String keyAndWindow(JsonNode line) {
    return line.at("/key/k").textValue() + " " + line.get("windowStart").textValue();
  }

  private static Instant minute(Instant time) {
    return Instant.ofEpochMilli(time.getMillis() - Math.floorMod(time.getMillis(), 60_000L));
  }

  private static Instant at(int seconds) {
    return START.plus(Duration.standardSeconds(seconds));
  }

  private static Policy policy() {
    return policy("1s");
  }

  private static Policy policy(String idleAfter) {
    return load(
        """
        metric: events
        version: "1"
        timestamp: /t
        key: {k: /k}
        window: {fixed: {size: 1m}}
        aggregates: {n: count}
        watermark: {maxOutOfOrderness: 1m, idleAfter: %s}
        """
            .formatted(idleAfter));
  }

  private static Policy load(String yaml) {
    try {
      return PolicyLoader.parse(yaml, "policy.yaml");
    } catch (PolicyException e) {
      throw new AssertionError(e);
    }
  }
}
