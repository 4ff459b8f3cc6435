package dev.tidemark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * How many bytes of state a key takes in a window, on Flink with RocksDB: {@code tidemark run}
 * reads a topic whose events fall into so many open windows of so many keys; the size of a
 * savepoint of it, divided by their number, is printed above what {@code tidemark plan} says. A
 * savepoint has each entry of RocksDB once, where RocksDB's own files keep older versions until it
 * compacts them; some 150 KB of it are the source's, so take many keys. From the checkout's root.
 *
 * <pre>
 * mvn -B -pl benchmarks -am package -DskipTests dependency:copy-dependencies -DoutputDirectory=target/lib
 * java -cp 'benchmarks/target/classes:benchmarks/target/lib/*' dev.tidemark.benchmarks.StateSize 1000 3
 * </pre>
 *
 * <p>The arguments are how many keys there are, and how many events a key has in a window: some
 * thousands fill the sketches.
 */
public final class StateSize {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String POLICY = "policy.yaml";
  private static final Instant START = Instant.parse("2026-07-04T00:00:00Z");
  private static final int WINDOWS = 10;
  private static final int BATCH = 10_000;
  private static final Map<String, String> AGGREGATES = aggregates();

  private StateSize() {}

  private static Map<String, String> aggregates() {
    Map<String, String> aggregates = new LinkedHashMap<>();
    aggregates.put("count", "{a: count}");
    aggregates.put("sum", "{a: {sum: /v}}");
    aggregates.put("distinct", "{a: {distinct: /u}}");
    aggregates.put("quantile", "{a: {quantile: {of: /v, q: 0.99}}}");
    aggregates.put(
        "all four", "{a: count, b: {sum: /v}, c: {distinct: /u}, d: {quantile: {of: /v, q: 0.5}}}");
    return aggregates;
  }

  /**
   * Lateness keeps all windows open; quiet partitions wait, as the events are of a time long past.
   */
  private static String policy(String aggregates) {
    return """
        metric: size
        version: "1"
        timestamp: /t
        key: {k: /k}
        window: {fixed: {size: 1h}}
        allowedLateness: %dh
        aggregates: %s
        watermark: {maxOutOfOrderness: 0s, idleAfter: 24h}
        """
        .formatted(WINDOWS - 1, aggregates);
  }

  /** Runs the benchmark. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int keys = Integer.parseInt(args[0]);
    int eventsAWindow = Integer.parseInt(args[1]);
    try (KafkaBroker broker = KafkaBroker.start()) {
      List.of("events", "results", "too-late", "dead")
          .forEach(topic -> broker.createTopic(topic, 1));
      produce(broker, keys, eventsAWindow);
      for (Map.Entry<String, String> aggregates : AGGREGATES.entrySet()) {
        Path directory = Files.createTempDirectory("state");
        String policy = directory.resolve(POLICY).toString();
        Files.writeString(Path.of(policy), policy(aggregates.getValue()));
        long bytes = savepoint(broker, directory, (long) keys * WINDOWS * eventsAWindow);
        System.out.printf(
            "%s: %,d bytes for each key and window%n",
            aggregates.getKey(), bytes / ((long) keys * WINDOWS));
        CommandProcess.of("256m", "plan", "--policy=" + policy, "--keys=" + keys).start().waitFor();
      }
    }
  }

  private static void produce(KafkaBroker broker, int keys, int eventsAWindow) {
    Random random = new Random(1);
    List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
    for (int window = 0; window < WINDOWS; window++) {
      Instant time = START.plus(Duration.standardHours(window));
      for (int event = 0; event < keys * eventsAWindow; event++) {
        String json =
            "{\"t\":%d,\"k\":\"key-%d\",\"v\":%d.%02d,\"u\":\"user-%d\"}"
                .formatted(
                    time.getMillis(),
                    event % keys,
                    random.nextInt(1_000_000),
                    random.nextInt(100),
                    random.nextInt(1_000_000));
        batch.add(new ProducerRecord<>("events", json.getBytes(StandardCharsets.UTF_8)));
        if (batch.size() == BATCH) {
          broker.produce(batch);
          batch.clear();
        }
      }
    }
    broker.produce(batch);
  }

  /** The size of a savepoint that has all events. */
  private static long savepoint(KafkaBroker broker, Path directory, long events)
      throws IOException, InterruptedException {
    String group = directory.getFileName().toString();
    int port = freePort();
    Files.writeString(directory.resolve("flink-conf.yaml"), "rest.bind-port: " + port + "\n");
    Process run =
        CommandProcess.of(
                "1g",
                "run",
                "--runner=FlinkRunner",
                "--flinkConfDir=" + directory,
                "--parallelism=1",
                "--checkpointingInterval=5000",
                "--stateBackend=rocksdb",
                "--stateBackendStoragePath=" + directory.resolve("checkpoints").toUri(),
                "--policy=" + directory.resolve(POLICY),
                "--bootstrapServers=" + broker.bootstrapServers(),
                "--consumerConfig=group.id=" + group,
                "--topic=events",
                "--outputTopic=results",
                "--tooLateTopic=too-late",
                "--deadLetterTopic=dead")
            .start();
    try {
      while (broker.committed(group, "events") < events && run.isAlive()) {
        TimeUnit.SECONDS.sleep(1);
      }
      Path savepoint = directory.resolve("savepoint");
      String jobs = "http://127.0.0.1:" + port + "/jobs/";
      String job = ask(HttpRequest.newBuilder(URI.create(jobs))).at("/jobs/0/id").asText();
      String body = "{\"target-directory\":\"%s\",\"formatType\":\"CANONICAL\"}";
      ask(
          HttpRequest.newBuilder(URI.create(jobs + job + "/savepoints"))
              .POST(BodyPublishers.ofString(body.formatted(savepoint.toUri()))));
      while (size(savepoint, "_metadata") == 0) {
        TimeUnit.SECONDS.sleep(1);
      }
      return size(savepoint, "");
    } finally {
      run.destroy();
      run.waitFor();
    }
  }

  private static JsonNode ask(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    request.header("Content-Type", "application/json");
    return JSON.readTree(CLIENT.send(request.build(), BodyHandlers.ofString()).body());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static long size(Path directory, String name) throws IOException {
    if (!Files.exists(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().endsWith(name))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }
}
