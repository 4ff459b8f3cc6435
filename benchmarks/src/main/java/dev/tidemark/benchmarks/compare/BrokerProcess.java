package dev.tidemark.benchmarks.compare;

import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A Kafka broker in a JVM of its own, so that what it takes is not the engine's. It ends with this
 * process, whose pipe it reads.
 */
final class BrokerProcess {
  private static final int CHUNK = 100_000;
  private static final String FILL = "fill ";
  private static final String CREATE = "create ";

  private final BufferedWriter in;
  private final BufferedReader out;
  private final String bootstrapServers;

  private BrokerProcess(Process process) throws IOException {
    this.in = process.outputWriter(StandardCharsets.UTF_8);
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.bootstrapServers = answer();
  }

  /** A running broker without topics. */
  static BrokerProcess start() throws IOException {
    return new BrokerProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Djava.util.logging.config.file=testkit/logging.properties",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  /** Makes a topic, called as the directory, of the lines of its files; says how many. */
  long fill(Path directory) throws IOException {
    return ask(FILL + directory);
  }

  /** Makes a topic of one partition. */
  void create(String topic) throws IOException {
    ask(CREATE + topic);
  }

  private long ask(String order) throws IOException {
    in.write(order + "\n");
    in.flush();
    return Long.parseLong(answer());
  }

  private String answer() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the broker has ended");
    }
    return line;
  }

  /** The broker's own side: tells its address, then how many records each order has written. */
  public static void main(String[] args) throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (KafkaBroker broker = KafkaBroker.start()) {
      System.out.println(broker.bootstrapServers());
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        System.out.println(obey(broker, order));
      }
    }
  }

  private static long obey(KafkaBroker broker, String order) throws IOException {
    if (order.startsWith(CREATE)) {
      broker.createTopic(order.substring(CREATE.length()), 1);
      return 0;
    }
    return fill(broker, Path.of(order.substring(FILL.length())));
  }

  private static long fill(KafkaBroker broker, Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.sorted().toList();
    }
    String topic = directory.getFileName().toString();
    broker.createTopic(topic, files.size());
    long lines = 0;
    for (int partition = 0; partition < files.size(); partition++) {
      lines += fill(broker, topic, partition, files.get(partition));
    }
    return lines;
  }

  private static long fill(KafkaBroker broker, String topic, int partition, Path file)
      throws IOException {
    long lines = 0;
    List<ProducerRecord<byte[], byte[]>> chunk = new ArrayList<>();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        byte[] value = line.getBytes(StandardCharsets.UTF_8);
        chunk.add(new ProducerRecord<>(topic, partition, null, value));
        lines++;
        if (chunk.size() == CHUNK) {
          broker.produce(chunk);
          chunk.clear();
        }
      }
    }
    broker.produce(chunk);
    return lines;
  }
}
