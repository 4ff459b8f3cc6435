package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.kafka.Await;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Visits of random times that are counted by the minute, from topic to topics: what is sent, the
 * command that counts it, and whether what it wrote is exact.
 */
final class Visits {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final Instant END = START.plus(Duration.standardDays(1));
  private static final int EVENTS_A_ROUND = 200;

  /** Quiet partitions wait for the events, which are of a time long past. */
  private static final String POLICY =
      """
      metric: visits
      version: "1"
      timestamp: /t
      key: {k: /k}
      window: {fixed: {size: 1m}}
      trigger: {early: {every: 1s}}
      aggregates: {n: count}
      watermark: {maxOutOfOrderness: 1m, idleAfter: 24h}
      """;

  private final KafkaBroker broker;
  private final Path directory;
  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final Map<String, Long> reference = new HashMap<>();
  private int second;
  private List<Integer> partitions = List.of(0, 1);

  private Visits(KafkaBroker broker, Path directory) {
    this.broker = broker;
    this.directory = directory;
  }

  /** None yet; makes the topics, and a policy in the directory. */
  static Visits of(KafkaBroker broker, Path directory) throws IOException {
    Files.writeString(directory.resolve("policy.yaml"), POLICY);
    broker.createTopic("events", 2);
    broker.createTopic("latest", 2, Map.of("cleanup.policy", "compact"));
    List.of("results", "too-late", "dead-letters").forEach(t -> broker.createTopic(t, 1));
    return new Visits(broker, directory);
  }

  /** The command that counts them, with the options of its runner. */
  ProcessBuilder command(List<String> options) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "--runner=FlinkRunner",
                "--policy=policy.yaml",
                "--bootstrapServers=" + broker.bootstrapServers(),
                "--topic=events",
                "--consumerConfig=metadata.max.age.ms=300",
                "--outputTopic=results",
                "--latestTopic=latest",
                "--tooLateTopic=too-late",
                "--deadLetterTopic=dead-letters",
                "--parallelism=1"));
    args.addAll(options);
    return Command.process(directory, args.toArray(String[]::new)).redirectErrorStream(true);
  }

  /** Sends the next ones, a second apart and in disorder. */
  void send() {
    List<ProducerRecord<byte[], byte[]>> events = new ArrayList<>();
    for (int i = 0; i < EVENTS_A_ROUND; i++) {
      Instant time = START.plus(Duration.standardSeconds(second - random.nextInt(50)));
      String key = "k" + random.nextInt(3);
      events.add(event(partitions.get(second % partitions.size()), key, time));
      Instant minute = time.toDateTime().withSecondOfMinute(0).toInstant();
      reference.merge(key + " " + minute, 1L, Long::sum);
      second++;
    }
    broker.produce(events);
  }

  /** Sends what completes the windows of all that were sent. */
  void sendEnd() {
    broker.produce(partitions.stream().map(partition -> event(partition, "end", END)).toList());
  }

  private static ProducerRecord<byte[], byte[]> event(int partition, String key, Instant time) {
    String json = "{\"t\":\"%s\",\"k\":\"%s\"}".formatted(time, key);
    return new ProducerRecord<>("events", partition, null, json.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a partition. The others wait until it is read, so as not to make its events late. */
  void growTopic() throws Exception {
    int added = partitions.size();
    List<Integer> all = IntStream.rangeClosed(0, added).boxed().toList();
    broker.growTopic("events", all.size());
    partitions = List.of(added);
    send();
    awaitSeen();
    partitions = all;
  }

  /** Waits until the latest topic has each visit. */
  void awaitSeen() throws Exception {
    Await.until(this::latest, is(reference));
  }

  /** Waits until the final results and the latest topic have each visit once. */
  void awaitExact() throws Exception {
    Await.until(this::finals, is(reference));
    awaitSeen();
    assertThat("with seed " + seed, broker.consumeAll("too-late").size(), is(0));
  }

  /** What a reader of the compacted topic ends up with. */
  private Map<String, Long> latest() throws IOException {
    Map<String, byte[]> newest = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : broker.consumeAll("latest")) {
      newest.put(new String(record.key(), StandardCharsets.UTF_8), record.value());
    }
    Map<String, Long> latest = new HashMap<>();
    for (byte[] line : newest.values()) {
      put(latest, JSON.readTree(line));
    }
    return latest;
  }

  /** The FINAL results of the audit trail, each as often as it may come. */
  private Map<String, Long> finals() throws IOException {
    Map<String, Long> finals = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : broker.consumeAll("results")) {
      JsonNode result = JSON.readTree(record.value());
      if (result.path("resultKind").asText().equals("FINAL")) {
        put(finals, result);
      }
    }
    return finals;
  }

  private static void put(Map<String, Long> counts, JsonNode result) {
    String key = result.path("key").path("k").asText();
    if (!key.equals("end")) {
      Instant start = Instant.parse(result.path("windowStart").asText());
      counts.put(key + " " + start, result.path("value").path("n").asLong());
    }
  }
}
