package dev.tidemark.benchmarks;

import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Whether memory stays flat under a steady load: {@code tidemark run} reads a topic and writes
 * topics, in a process of its own, while this one sends so many events a second, of keys that
 * change every minute, in windows of ten seconds. Prints the command's own progress and, every
 * thirty seconds, the heap in use after a full collection and the resident size. Linux only; from
 * the checkout's root.
 *
 * <pre>
 * mvn -B -pl benchmarks -am package -DskipTests dependency:copy-dependencies -DoutputDirectory=target/lib
 * java -cp 'benchmarks/target/classes:benchmarks/target/lib/*' dev.tidemark.benchmarks.SteadyLoad 1000 600 512m --runner=FlinkRunner
 * </pre>
 *
 * <p>The arguments are events a second, seconds, the heap's size, and options of the command.
 */
public final class SteadyLoad {
  private static final int KEYS = 100;
  private static final int PARTITIONS = 2;
  private static final int SAMPLE_SECONDS = 30;
  private static final String POLICY =
      """
      metric: load
      version: "1"
      timestamp: /t
      key: {k: /k}
      window: {fixed: {size: 10s}}
      trigger: {early: {every: 2s}}
      allowedLateness: 10s
      aggregates: {n: count, sum: {sum: /v}, who: {distinct: /u}}
      watermark: {maxOutOfOrderness: 2s, idleAfter: 10s}
      """;

  private SteadyLoad() {}

  /** Runs the benchmark. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int rate = Integer.parseInt(args[0]);
    int seconds = Integer.parseInt(args[1]);
    Path policy = Files.createTempFile("load", ".yaml");
    Files.writeString(policy, POLICY);
    try (KafkaBroker broker = KafkaBroker.start()) {
      broker.createTopic("events", PARTITIONS);
      List.of("results", "latest", "too-late", "dead")
          .forEach(topic -> broker.createTopic(topic, 1));
      List<String> options = List.of(args).subList(3, args.length);
      Process run = command(broker, policy, args[2], options).start();
      long start = System.nanoTime();
      for (int second = 0; second < seconds && run.isAlive(); second++) {
        broker.produce(events(rate, second));
        if (second % SAMPLE_SECONDS == SAMPLE_SECONDS - 1) {
          sample(run, second + 1);
        }
        long left = start + TimeUnit.SECONDS.toNanos(second + 1) - System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(left);
      }
      run.destroy();
      System.out.println("exit code " + run.waitFor());
    } finally {
      Files.delete(policy);
    }
  }

  private static ProcessBuilder command(
      KafkaBroker broker, Path policy, String heap, List<String> options) {
    List<String> args = new ArrayList<>(options);
    args.addAll(
        0,
        List.of(
            "run",
            "--policy=" + policy,
            "--bootstrapServers=" + broker.bootstrapServers(),
            "--topic=events",
            "--outputTopic=results",
            "--latestTopic=latest",
            "--tooLateTopic=too-late",
            "--deadLetterTopic=dead"));
    return CommandProcess.of(heap, args.toArray(String[]::new));
  }

  private static List<ProducerRecord<byte[], byte[]>> events(int rate, int second) {
    List<ProducerRecord<byte[], byte[]>> events = new ArrayList<>();
    long now = System.currentTimeMillis();
    for (int i = 0; i < rate; i++) {
      String event =
          "{\"t\":%d,\"k\":\"k%d-%d\",\"v\":%d,\"u\":\"u%d\"}"
              .formatted(now - i % 1_000, second / 60, i % KEYS, i, (second * rate + i) % 10_000);
      events.add(
          new ProducerRecord<>(
              "events", i % PARTITIONS, null, event.getBytes(StandardCharsets.UTF_8)));
    }
    return events;
  }

  private static void sample(Process run, int second) throws IOException, InterruptedException {
    jcmd(run, "GC.run");
    String heap =
        jcmd(run, "GC.heap_info")
            .lines()
            .filter(line -> line.contains("Gen") && line.contains("used"))
            .map(String::strip)
            .map(line -> line.replaceFirst(" +total.*used ", " ").replaceFirst(" \\[.*", ""))
            .reduce((a, b) -> a + ", " + b)
            .orElse("");
    String resident =
        Files.readAllLines(Path.of("/proc", Long.toString(run.pid()), "status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .findFirst()
            .orElse("");
    System.out.println("after " + second + " s: " + heap + "; " + resident);
  }

  private static String jcmd(Process run, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(run.pid()),
                command)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }
}
