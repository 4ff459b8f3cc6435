package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run on Flink from topic to topics that goes on with another parallelism and policy. */
class UpgradeTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final Instant END = START.plus(Duration.standardDays(1));
  private static final int EVENTS_A_ROUND = 300;

  /** Its watermark does not get to the windows' ends, whatever comes. */
  private static final String BEFORE =
      """
      metric: visits
      version: "1"
      timestamp: /t
      key: {k: /k}
      window: {fixed: {size: 1m}}
      trigger: {early: {every: 1s}}
      allowedLateness: 5m
      aggregates: {n: count}
      watermark: {maxOutOfOrderness: 2d, idleAfter: 24h}
      """;

  private static final String AFTER =
      """
      metric: visits
      version: "2"
      timestamp: /t
      key: {k: /k}
      window: {fixed: {size: 1m}}
      trigger: {early: {count: 2}, late: {count: 3}}
      allowedLateness: 1m
      aggregates: {n: count, most: {max: /v}}
      watermark: {maxOutOfOrderness: 1m, idleAfter: 24h}
      """;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Integer> most = new TreeMap<>();
  private @Nullable Process run;

  @TempDir private Path directory;

  @AfterEach
  void stop() {
    if (run != null) {
      run.destroyForcibly();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2, filesystem", "2, 1, rocksdb"})
  void goesOnExactlyWithAnotherParallelismTriggerWatermarkAndOneAggregateMore(
      int from, int to, String stateBackend) throws Exception {
    try (KafkaBroker broker = KafkaBroker.start()) {
      broker.createTopic("events", 2);
      broker.createTopic("latest", 2, Map.of("cleanup.policy", "compact"));
      List.of("results", "too-late", "dead-letters").forEach(t -> broker.createTopic(t, 1));
      broker.produce(events());
      start(broker, BEFORE, "before", from, "--stateBackend=" + stateBackend);
      Await.until(() -> values(broker, "latest", "n"), is(counts));
      Checkpoints checkpoints = new Checkpoints(directory.resolve("before"));
      int seen = checkpoints.last();
      Await.until(checkpoints::last, is(greaterThan(seen + 1)));
      run.destroyForcibly().waitFor();
      String savepoint = checkpoints.savepointPath();
      assertRefused(broker, savepoint);

      most.clear();
      broker.produce(events());
      broker.produce(List.of(event(0, "end", END, 0), event(1, "end", END, 0)));
      start(broker, AFTER, "after", to, "--stateBackend=" + stateBackend, savepoint);
      Await.until(() -> values(broker, "results", "n"), is(counts));
      Await.until(() -> values(broker, "latest", "n"), is(counts));
      // Those of the second round only: that is how long the aggregate has been there.
      assertThat("with seed " + seed, values(broker, "latest", "most"), is(most));
      assertThat(broker.consumeAll("too-late"), hasSize(0));
    }
  }

  private void assertRefused(KafkaBroker broker, String savepoint) throws Exception {
    Path policy = directory.resolve("other.yaml");
    Files.writeString(
        policy, AFTER.replace("size: 1m", "size: 2m").replace("{k: /k}", "{k: /other}"));
    Command.Outcome outcome =
        Command.runHere(
            args(broker, policy, "other", 1, "--stateBackend=filesystem", savepoint)
                .toArray(String[]::new));
    assertThat(outcome.err(), outcome.errLines(), hasSize(2));
    assertThat(
        outcome.errLines().get(0), startsWith("tidemark: " + policy + ":4: key: the job in "));
    assertThat(
        outcome.errLines().get(1),
        containsString(
            " has {fixed: {size: 1m, offset: 0s}}, this is {fixed: {size: 2m, offset: 0s}};"));
    assertThat(outcome.exitCode(), is(2));
  }

  private void start(
      KafkaBroker broker, String policy, String name, int parallelism, String... more)
      throws IOException {
    Path file = directory.resolve(name + ".yaml");
    Files.writeString(file, policy);
    List<String> args = args(broker, file, name, parallelism, more);
    run =
        Command.process(directory, args.toArray(String[]::new))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile())
            .start();
  }

  private List<String> args(
      KafkaBroker broker, Path policy, String name, int parallelism, String... more) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "--runner=FlinkRunner",
                "--policy=" + policy,
                "--bootstrapServers=" + broker.bootstrapServers(),
                "--topic=events",
                "--outputTopic=results",
                "--latestTopic=latest",
                "--tooLateTopic=too-late",
                "--deadLetterTopic=dead-letters",
                "--parallelism=" + parallelism,
                "--checkpointingInterval=300",
                "--stateBackendStoragePath=" + directory.resolve(name).toUri()));
    args.addAll(List.of(more));
    return args;
  }

  /** Events of the same ten minutes in disorder; each round has some. */
  private List<ProducerRecord<byte[], byte[]>> events() {
    List<ProducerRecord<byte[], byte[]>> events = new ArrayList<>();
    for (int i = 0; i < EVENTS_A_ROUND; i++) {
      Instant time = START.plus(Duration.standardSeconds(random.nextInt(600)));
      String key = "k" + random.nextInt(3);
      int value = random.nextInt(1_000);
      events.add(event(i % 2, key, time, value));
      String window = key + " " + time.toDateTime().withSecondOfMinute(0).toInstant();
      counts.merge(window, 1, Integer::sum);
      most.merge(window, value, Math::max);
    }
    return events;
  }

  private static ProducerRecord<byte[], byte[]> event(
      int partition, String key, Instant time, int value) {
    String json = "{\"t\":\"%s\",\"k\":\"%s\",\"v\":%d}".formatted(time, key, value);
    return new ProducerRecord<>("events", partition, null, json.getBytes(StandardCharsets.UTF_8));
  }

  /** An aggregate of the last result of each key and window; of results, of the final ones. */
  private static Map<String, Integer> values(KafkaBroker broker, String topic, String aggregate)
      throws IOException {
    Map<String, Integer> values = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : broker.consumeAll(topic)) {
      JsonNode result = JSON.readTree(record.value());
      String key = result.path("key").path("k").asText();
      boolean asked = topic.equals("latest") || result.path("resultKind").asText().equals("FINAL");
      if (asked && !key.equals("end") && result.path("value").path(aggregate).isNumber()) {
        values.put(
            key + " " + Instant.parse(result.path("windowStart").asText()),
            result.path("value").path(aggregate).asInt());
      }
    }
    return values;
  }
}
