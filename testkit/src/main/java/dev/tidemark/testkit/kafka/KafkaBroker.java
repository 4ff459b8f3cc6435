package dev.tidemark.testkit.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker in this process, for tests: one KRaft node, broker and controller in one, on free
 * ports of the loopback interface. It can be stopped and started again with all that it holds. Its
 * data lie in a temporary directory and are gone once it is closed.
 *
 * <p>Starting takes about two seconds: share one broker in a test class, and give each test topics
 * of its own. Not for several nodes or encryption.
 */
public final class KafkaBroker implements AutoCloseable {
  /** Whom the secured listener lets in, with {@link #PASSWORD}. */
  public static final String USER = "tester";

  /** Of the {@link #USER}. */
  public static final String PASSWORD = "right";

  private static final Duration POLL = Duration.ofMillis(200);

  private final Path directory;
  private final int port;
  private final int securedPort;
  private final KafkaConfig config;
  private @Nullable KafkaRaftServer server;

  private KafkaBroker(Path directory, int port, int securedPort, int controllerPort) {
    this.directory = directory;
    this.port = port;
    this.securedPort = securedPort;
    this.config = new KafkaConfig(properties(directory, port, securedPort, controllerPort), false);
  }

  /** A running broker without topics. */
  public static KafkaBroker start() {
    try {
      int[] ports = freePorts();
      KafkaBroker broker =
          new KafkaBroker(Files.createTempDirectory("kafka"), ports[0], ports[1], ports[2]);
      broker.format();
      broker.restart();
      return broker;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Three, of sockets that are open at the same time, or two could be the same. */
  private static int[] freePorts() throws IOException {
    try (ServerSocket one = anyPort();
        ServerSocket another = anyPort();
        ServerSocket third = anyPort()) {
      return new int[] {one.getLocalPort(), another.getLocalPort(), third.getLocalPort()};
    }
  }

  private static ServerSocket anyPort() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static Map<String, String> properties(
      Path directory, int port, int securedPort, int controllerPort) {
    String listeners =
        "PLAINTEXT://127.0.0.1:" + port + ",SASL_PLAINTEXT://127.0.0.1:" + securedPort;
    String controller = "127.0.0.1:" + controllerPort;
    return Map.ofEntries(
        Map.entry("process.roles", "broker,controller"),
        Map.entry("node.id", "1"),
        Map.entry("controller.quorum.voters", "1@" + controller),
        Map.entry("controller.listener.names", "CONTROLLER"),
        Map.entry("listeners", listeners + ",CONTROLLER://" + controller),
        Map.entry(
            "listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT"),
        Map.entry("sasl.enabled.mechanisms", "PLAIN"),
        Map.entry(
            "listener.name.sasl_plaintext.plain.sasl.jaas.config",
            PlainLoginModule.class.getName() + " required user_" + USER + "=\"" + PASSWORD + "\";"),
        Map.entry("log.dir", directory.toString()),
        Map.entry("auto.create.topics.enable", "false"),
        // One node holds every copy, and one partition of the offsets is enough for it.
        Map.entry("offsets.topic.num.partitions", "1"),
        Map.entry("offsets.topic.replication.factor", "1"),
        Map.entry("transaction.state.log.num.partitions", "1"),
        Map.entry("transaction.state.log.replication.factor", "1"),
        Map.entry("transaction.state.log.min.isr", "1"),
        // The records of a test may be stamped long ago.
        Map.entry("log.retention.ms", "-1"),
        Map.entry("log.message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE)),
        // Consumers of a test need not wait for others to join their group.
        Map.entry("group.initial.rebalance.delay.ms", "0"));
  }

  private void format() {
    try {
      new Formatter()
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(1)
          .setControllerListenerName("CONTROLLER")
          .setMetadataLogDirectory(directory.toString())
          .addDirectory(directory.toString())
          .run();
    } catch (Exception e) {
      throw new IllegalStateException("the broker's directory cannot be prepared", e);
    }
  }

  /** The address for {@code --bootstrapServers}, the same after each start. */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** The address of the same broker for clients that use SASL_PLAINTEXT and PLAIN. */
  public String securedServers() {
    return "127.0.0.1:" + securedPort;
  }

  /** Stops a running broker. What it holds stays; clients lose their connections. */
  public void stop() {
    if (server != null) {
      server.shutdown();
      server.awaitShutdown();
      server = null;
    }
  }

  /** Starts a stopped broker on the same port, with what it held. */
  public void restart() {
    server = new KafkaRaftServer(config, Time.SYSTEM);
    server.startup();
  }

  /** Makes a topic; {@code settings} are the topic's, {@code cleanup.policy} say. */
  public void createTopic(String topic, int partitions, Map<String, String> settings) {
    administer(
        admin ->
            admin
                .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
                .all()
                .get());
  }

  /** Makes a topic with the broker's settings. */
  public void createTopic(String topic, int partitions) {
    createTopic(topic, partitions, Map.of());
  }

  /** Adds partitions to a topic, up to {@code partitions} in all. */
  public void growTopic(String topic, int partitions) {
    administer(
        admin ->
            admin
                .createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all()
                .get());
  }

  /** Writes records, and returns once the broker has them all. */
  public void produce(List<ProducerRecord<byte[], byte[]>> records) {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            // An idempotent producer is forgotten once its records are stamped long ago.
            Map.of("bootstrap.servers", bootstrapServers(), "enable.idempotence", false),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      List<java.util.concurrent.Future<?>> sent = new ArrayList<>();
      for (ProducerRecord<byte[], byte[]> record : records) {
        sent.add(producer.send(record));
      }
      for (java.util.concurrent.Future<?> one : sent) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a record could not be written", e.getCause());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** All records of a topic as it is now, those of each partition in order; committed ones only. */
  public List<ConsumerRecord<byte[], byte[]>> consumeAll(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers(), "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(POLL).forEach(records::add);
      }
    }
    return records;
  }

  /** The sum of the offsets that a group has committed in the partitions of a topic. */
  public long committed(String group, String topic) {
    long[] sum = new long[1];
    administer(
        admin ->
            admin
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .forEach(
                    (partition, committed) ->
                        sum[0] += partition.topic().equals(topic) ? committed.offset() : 0));
    return sum[0];
  }

  /** Does something with the broker that it has no method for. */
  public void administer(Administration action) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      action.perform(admin);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker refused", e.getCause());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** What {@link #administer} does. */
  @FunctionalInterface
  public interface Administration {
    void perform(Admin admin) throws ExecutionException, InterruptedException;
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", e);
  }

  @Override
  public void close() {
    stop();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
