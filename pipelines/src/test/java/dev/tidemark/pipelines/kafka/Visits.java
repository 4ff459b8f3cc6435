package dev.tidemark.pipelines.kafka;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.pipelines.Command;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Visits of random times that two policies count by windows, one of them with early results, from
 * topic to topics: what is sent, the command that counts it, and whether what it wrote is exact.
 */
public final class Visits {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant LONG_PAST = Instant.parse("2026-07-04T10:00:00Z");
  private static final int EVENTS_A_ROUND = 200;
  private static final int DEAD_LETTERS_A_ROUND = 10;
  private static final int TOO_LATE_A_ROUND = 10;

  /** Each of the policies, and the field that only it has. */
  private static final Map<String, String> POLICIES =
      new TreeMap<>(Map.of("visits", "", "visits-early", "trigger: {early: {every: 1s}}"));

  /** What differs when a result is computed again. */
  private static final Set<String> OF_ATTEMPT = Set.of("computedAt");

  /** And where early results come by the clock: more or fewer may have come before. */
  private static final Set<String> OF_EARLY_ATTEMPT =
      Set.of("computedAt", "firingSequence", "resultId");

  private final KafkaBroker broker;
  private final Path directory;
  private final Random random;
  private final Instant start;
  private final Duration step;
  private final Map<String, Long> reference = new HashMap<>();
  private final Set<String> broken = new TreeSet<>();
  private final Set<String> tooLate = new TreeSet<>();
  private int sent;
  private List<Integer> partitions = List.of(0, 1);

  private Visits(KafkaBroker broker, Path directory, Random random, Instant start, Duration step) {
    this.broker = broker;
    this.directory = directory;
    this.random = random;
    this.start = start;
    this.step = step;
  }

  /**
   * None yet; makes the topics, and the policies in the directory. Their times are long past, and a
   * second apart.
   */
  public static Visits of(KafkaBroker broker, Path directory, long seed) throws IOException {
    return of(broker, directory, seed, LONG_PAST, Duration.standardSeconds(1));
  }

  /**
   * The same of visits that begin in a minute, and are 10 ms apart: windows that end after the wall
   * clock are combined before they are shuffled, and none fires before the clock has reached it.
   */
  public static Visits soon(KafkaBroker broker, Path directory, long seed) throws IOException {
    Instant start = Instant.ofEpochSecond(Instant.now().getMillis() / 1000 + 60);
    return of(broker, directory, seed, start, Duration.millis(10));
  }

  private static Visits of(
      KafkaBroker broker, Path directory, long seed, Instant start, Duration step)
      throws IOException {
    System.out.println("visits of seed " + seed);
    for (String metric : POLICIES.keySet()) {
      Files.writeString(directory.resolve(metric + ".yaml"), policy(metric, windowSize(step)));
    }
    broker.createTopic("events", 2);
    broker.createTopic("latest", 2, Map.of("cleanup.policy", "compact"));
    List.of("results", "too-late", "dead-letters").forEach(t -> broker.createTopic(t, 1));
    return new Visits(broker, directory, new Random(seed), start, step);
  }

  private static Duration windowSize(Duration step) {
    return step.multipliedBy(60);
  }

  /** Quiet partitions wait for the events, which may be of a time long past. */
  private static String policy(String metric, Duration windowSize) {
    return """
        metric: %s
        version: "1"
        timestamp: /t
        key: {k: /k}
        window: {fixed: {size: %dms}}
        aggregates: {n: count}
        watermark: {maxOutOfOrderness: %dms, idleAfter: 24h, maxFutureSkew: 48h}
        %s
        """
        .formatted(metric, windowSize.getMillis(), windowSize.getMillis(), POLICIES.get(metric));
  }

  /** The command that counts them, with the options of its runner. */
  public ProcessBuilder command(List<String> options) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "--policy=visits.yaml,visits-early.yaml",
                "--bootstrapServers=" + broker.bootstrapServers(),
                "--topic=events",
                "--consumerConfig=metadata.max.age.ms=300",
                "--outputTopic=results",
                "--latestTopic=latest",
                "--tooLateTopic=too-late",
                "--deadLetterTopic=dead-letters"));
    args.addAll(options);
    return Command.process(directory, args.toArray(String[]::new)).redirectErrorStream(true);
  }

  /** Sends the next ones, in disorder, with broken ones among them. */
  public void send() {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < EVENTS_A_ROUND; i++) {
      Instant time = time(sent - random.nextInt(50));
      String key = key();
      records.add(record(partitions.get(sent % partitions.size()), event(key, time)));
      reference.merge(key + " " + windowStart(time), 1L, Long::sum);
      sent++;
    }
    for (int i = 0; i < DEAD_LETTERS_A_ROUND; i++) {
      String text = "no event " + broken.size();
      records.add(random.nextInt(records.size()), record(anyPartition(), text));
      broken.add(text);
    }
    broker.produce(records);
  }

  /**
   * Adds a partition while the topic is read, and sends some to it. The others wait until those are
   * read, so as not to make them late.
   */
  public void growTopic() throws Exception {
    awaitSeen();
    List<Integer> all = IntStream.rangeClosed(0, partitions.size()).boxed().toList();
    broker.growTopic("events", all.size());
    partitions = List.of(all.size() - 1);
    send();
    awaitSeen();
    partitions = all;
  }

  /** Waits until the early results have each visit. */
  private void awaitSeen() throws Exception {
    Map<String, Set<Long>> right = new HashMap<>();
    reference.forEach((window, n) -> right.put("visits-early " + window, Set.of(n)));
    Await.until(
        () -> {
          Map<String, Set<Long>> latest = latest();
          latest.keySet().removeIf(window -> !window.startsWith("visits-early "));
          return latest;
        },
        is(right));
  }

  /** Waits until all windows have their final results that what was sent completes. */
  public void awaitFinal() throws Exception {
    Set<String> complete = new HashSet<>();
    for (String window : reference.keySet()) {
      if (Instant.parse(window.split(" ", 2)[1]).isBefore(lastComplete())) {
        POLICIES.keySet().forEach(metric -> complete.add(metric + " " + window));
      }
    }
    Await.until(() -> finals().keySet().containsAll(complete), is(true));
  }

  /** Windows that start before have had their final results, once those were awaited. */
  private Instant lastComplete() {
    return time(sent - 200);
  }

  /** Sends some to windows whose final results were awaited, by a checkpoint if there are any. */
  public void sendTooLate() {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < TOO_LATE_A_ROUND; i++) {
      long age = random.nextLong(new Duration(start, lastComplete()).getMillis());
      String event = event(key(), start.plus(Duration.millis(age)));
      records.add(record(anyPartition(), event));
      tooLate.add(event);
    }
    broker.produce(records);
  }

  /** Sends what completes the windows of all that were sent. */
  public void sendEnd() {
    broker.produce(
        partitions.stream()
            .map(partition -> record(partition, event("end", start.plus(Duration.standardDays(1)))))
            .toList());
  }

  private int anyPartition() {
    return partitions.get(random.nextInt(partitions.size()));
  }

  private String key() {
    return "k" + random.nextInt(3);
  }

  private Instant time(int steps) {
    return start.plus(step.multipliedBy(steps));
  }

  private Instant windowStart(Instant time) {
    long size = windowSize(step).getMillis();
    return time.minus(Duration.millis(Math.floorMod(time.getMillis(), size)));
  }

  private static String event(String key, Instant time) {
    return "{\"t\":\"%s\",\"k\":\"%s\"}".formatted(time, key);
  }

  private static ProducerRecord<byte[], byte[]> record(int partition, String text) {
    return new ProducerRecord<>("events", partition, null, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Waits until each record that was sent is, for each policy, in the one place where it belongs:
   * once in each final result that is written of its window and in the latest one, or in the dead
   * letters, or in the too-late lane.
   */
  public void awaitExact() throws Exception {
    Map<String, Set<Long>> right = new HashMap<>();
    for (String metric : POLICIES.keySet()) {
      reference.forEach((window, n) -> right.put(metric + " " + window, Set.of(n)));
    }
    Await.until(this::finals, is(right));
    Await.until(this::latest, is(right));
    Await.until(() -> texts("dead-letters", "raw"), is(ofEachPolicy(broken)));
    awaitTooLate();
  }

  /** Waits until the too-late lane has all that were sent too late, and no others. */
  public void awaitTooLate() throws Exception {
    Await.until(() -> texts("too-late", "event"), is(ofEachPolicy(tooLate)));
  }

  private static Set<String> ofEachPolicy(Set<String> texts) {
    Set<String> all = new TreeSet<>();
    POLICIES.keySet().forEach(metric -> texts.forEach(text -> all.add(metric + " " + text)));
    return all;
  }

  /** The different records in a lane. */
  private Set<String> texts(String topic, String field) throws IOException {
    Set<String> texts = new TreeSet<>();
    for (JsonNode line : lines(topic)) {
      texts.add(line.path("metric").asText() + " " + line.path(field).asText());
    }
    return texts;
  }

  /** What a reader of the compacted topic ends up with. */
  private Map<String, Set<Long>> latest() throws IOException {
    Map<String, byte[]> newest = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : broker.consumeAll("latest")) {
      newest.put(new String(record.key(), StandardCharsets.UTF_8), record.value());
    }
    List<JsonNode> lines = new ArrayList<>();
    for (byte[] line : newest.values()) {
      lines.add(JSON.readTree(line));
    }
    return counts(lines);
  }

  private Map<String, Set<Long>> finals() throws IOException {
    return counts(lines("results").stream().filter(Visits::isFinal).toList());
  }

  private static boolean isFinal(JsonNode result) {
    return result.path("resultKind").asText().equals("FINAL");
  }

  /** The different counts of each window, but for that which {@link #sendEnd} opens. */
  private static Map<String, Set<Long>> counts(List<JsonNode> results) {
    Map<String, Set<Long>> counts = new HashMap<>();
    for (JsonNode result : results) {
      if (!result.path("key").path("k").asText().equals("end")) {
        counts
            .computeIfAbsent(window(result), unused -> new HashSet<>())
            .add(result.path("value").path("n").asLong());
      }
    }
    return counts;
  }

  private static String window(JsonNode result) {
    return "%s %s %s"
        .formatted(
            result.path("metric").asText(),
            result.path("key").path("k").asText(),
            result.path("windowStart").asText());
  }

  private List<JsonNode> lines(String topic) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : broker.consumeAll(topic)) {
      lines.add(JSON.readTree(record.value()));
    }
    return lines;
  }

  /** That a final result which is written again is the same again, and has the same id. */
  public void assertFinalsRepeatThemselves() throws IOException {
    Map<String, Set<JsonNode>> contents = new HashMap<>();
    for (JsonNode result : lines("results")) {
      if (isFinal(result)) {
        boolean early = result.path("metric").asText().equals("visits-early");
        ObjectNode content = result.deepCopy();
        content.remove(early ? OF_EARLY_ATTEMPT : OF_ATTEMPT);
        contents.computeIfAbsent(window(result), unused -> new HashSet<>()).add(content);
      }
    }
    contents.forEach((window, different) -> assertThat(window, different, hasSize(1)));
  }

  /**
   * That every firing of a window stands once in the audit trail, and the final one is the last.
   */
  public void assertTrailsComplete() throws IOException {
    Map<String, Map<Long, String>> trails = new HashMap<>();
    for (JsonNode result : lines("results")) {
      String before =
          trails
              .computeIfAbsent(window(result), unused -> new TreeMap<>())
              .put(result.path("firingSequence").asLong(), result.path("resultKind").asText());
      assertThat("twice: " + result, before == null);
    }
    trails.keySet().removeIf(window -> window.contains(" end "));
    trails.forEach((window, firings) -> assertThat(window, firings, is(complete(firings.size()))));
  }

  private static Map<Long, String> complete(long firings) {
    Map<Long, String> complete = new TreeMap<>();
    for (long firing = 1; firing < firings; firing++) {
      complete.put(firing, "EARLY");
    }
    complete.put(firings, "FINAL");
    return complete;
  }
}
