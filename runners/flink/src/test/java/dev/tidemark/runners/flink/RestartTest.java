package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on Flink from topic to topics that is killed and started again from its checkpoint. */
class RestartTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final Instant END = START.plus(Duration.standardDays(1));
  private static final int KILLS = 4;
  private static final int GROWING = 1;
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

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final Map<String, Long> reference = new HashMap<>();
  private int second;
  private int[] partitions = {0, 1};
  private @Nullable Process run;

  @TempDir private Path directory;

  @AfterEach
  void stop() {
    if (run != null) {
      run.destroyForcibly();
    }
  }

  @Test
  void whatStandsIsExactHoweverOftenTheRunWasKilled() throws Exception {
    Files.writeString(directory.resolve("policy.yaml"), POLICY);
    try (KafkaBroker broker = KafkaBroker.start()) {
      broker.createTopic("events", 2);
      broker.createTopic("latest", 2, Map.of("cleanup.policy", "compact"));
      List.of("results", "too-late", "dead-letters").forEach(t -> broker.createTopic(t, 1));
      String savepoint = "";
      for (int round = 0; round < KILLS; round++) {
        broker.produce(events());
        run = start(broker, round, savepoint);
        if (round == GROWING) {
          grow(broker);
        }
        int checkpoints = lastCheckpoint(round) + 1 + random.nextInt(3);
        broker.produce(events());
        int killedAfter = round;
        Await.until(() -> lastCheckpoint(killedAfter), is(greaterThan(checkpoints)));
        broker.produce(events());
        run.destroyForcibly().waitFor();
        savepoint = "--savepointPath=" + checkpoint(round);
      }
      broker.produce(Arrays.stream(partitions).mapToObj(p -> event(p, "end", END)).toList());
      run = start(broker, KILLS, savepoint);
      Await.until(() -> finals(broker), is(reference));
      Await.until(() -> latest(broker), is(reference));
      assertThat("with seed " + seed, broker.consumeAll("too-late").size(), is(0));
    }
  }

  /**
   * Adds a partition. Events in the others wait until it is read, so as not to make its own late.
   */
  private void grow(KafkaBroker broker) throws Exception {
    Await.until(() -> latest(broker), is(reference)); // so that the topic has been split
    broker.growTopic("events", 3);
    partitions = new int[] {2};
    broker.produce(events());
    Await.until(() -> latest(broker), is(reference));
    partitions = new int[] {0, 1, 2};
  }

  private Process start(KafkaBroker broker, int round, String savepoint) throws IOException {
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
                "--parallelism=1",
                "--checkpointingInterval=300",
                "--stateBackend=filesystem",
                "--stateBackendStoragePath=" + directory.resolve("round-" + round).toUri()));
    if (!savepoint.isEmpty()) {
      args.add(savepoint);
    }
    return Command.process(directory, args.toArray(String[]::new))
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("round-" + round + ".log").toFile())
        .start();
  }

  /** The number of the last complete checkpoint of a round; 0 if there is none. */
  private int lastCheckpoint(int round) throws IOException {
    return checkpoints(round).keySet().stream().mapToInt(n -> n).max().orElse(0);
  }

  private Path checkpoint(int round) throws IOException {
    return checkpoints(round).get(lastCheckpoint(round));
  }

  private Map<Integer, Path> checkpoints(int round) throws IOException {
    Path storage = directory.resolve("round-" + round);
    Map<Integer, Path> checkpoints = new HashMap<>();
    if (Files.exists(storage)) {
      for (Path file : Command.files(storage)) {
        if (file.endsWith("_metadata")) {
          String name = file.getParent().getFileName().toString();
          checkpoints.put(
              Integer.parseInt(name.substring("chk-".length())), storage.resolve(file.getParent()));
        }
      }
    }
    return checkpoints;
  }

  /** The next events, a second apart and in disorder. */
  private List<ProducerRecord<byte[], byte[]>> events() {
    List<ProducerRecord<byte[], byte[]>> events = new ArrayList<>();
    for (int i = 0; i < EVENTS_A_ROUND; i++) {
      Instant time = START.plus(Duration.standardSeconds(second - random.nextInt(50)));
      String key = "k" + random.nextInt(3);
      events.add(event(partitions[second % partitions.length], key, time));
      Instant minute = time.toDateTime().withSecondOfMinute(0).toInstant();
      reference.merge(key + " " + minute, 1L, Long::sum);
      second++;
    }
    return events;
  }

  private static ProducerRecord<byte[], byte[]> event(int partition, String key, Instant time) {
    String json = "{\"t\":\"%s\",\"k\":\"%s\"}".formatted(time, key);
    return new ProducerRecord<>("events", partition, null, json.getBytes(StandardCharsets.UTF_8));
  }

  /** What a reader of the compacted topic ends up with. */
  private static Map<String, Long> latest(KafkaBroker broker) throws IOException {
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
  private static Map<String, Long> finals(KafkaBroker broker) throws IOException {
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
