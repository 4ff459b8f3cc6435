package dev.tidemark.pipelines.kafka;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.options.KafkaSinkOptions;
import dev.tidemark.pipelines.AggregateEvents;
import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.Destinations;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.FileDestination;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.testkit.kafka.KafkaBroker;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.reconcile.ResultLine;
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
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What leaves a pipeline, in topics of a real broker. */
@ExtendWith(PipelineExtension.class)
class KafkaDestinationTest {
  private static final Instant TIME = Instant.parse("2024-07-04T10:00:00Z");
  private static final KafkaBroker BROKER = KafkaBroker.start();
  private static int tests;

  @TempDir private Path directory = Path.of("");
  private final String prefix = "t" + ++tests + "-";

  @BeforeEach
  void createTopics() {
    for (String topic : List.of("results", "latest", "too-late", "dead-letters")) {
      BROKER.createTopic(prefix + topic, 2);
    }
  }

  @AfterAll
  static void stopBroker() {
    BROKER.close();
  }

  @Test
  void topicsAndFilesHoldTheSame(TestPipeline pipeline) throws Exception {
    run(pipeline, policy("accumulating"), files(), topics());

    List<ConsumerRecord<byte[], byte[]>> results = BROKER.consumeAll(prefix + "results");
    List<ConsumerRecord<byte[], byte[]>> tooLate = BROKER.consumeAll(prefix + "too-late");
    List<ConsumerRecord<byte[], byte[]>> dead = BROKER.consumeAll(prefix + "dead-letters");
    assertThat(values(results), containsInAnyOrder(lines("results")));
    assertThat(values(tooLate), containsInAnyOrder(lines("too-late")));
    assertThat(values(dead), containsInAnyOrder(lines("dead-letters")));
    assertThat(List.of(results.size(), tooLate.size(), dead.size()), is(List.of(3, 1, 2)));
  }

  @Test
  void everyResultStandsOnceInTheAuditTopicUnderTheKeyOfItsWindow(TestPipeline pipeline)
      throws Exception {
    Policy policy = policy("retracting");
    run(pipeline, policy, topics());

    List<ConsumerRecord<byte[], byte[]>> records = BROKER.consumeAll(prefix + "results");
    List<String> results = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      WindowResult result = ResultLine.parse(text(record.value())).result();
      results.add(result.kind() + " " + result.firingSequence() + " " + result.key().values());
      assertThat(text(record.key()), is(ResultJson.subject(policy, result.key(), result.window())));
    }
    assertThat(
        results,
        containsInAnyOrder(
            "FINAL 1 [Text[value=a]]",
            "RETRACTION 1 [Text[value=a]]",
            "LATE_UPDATE 2 [Text[value=a]]",
            "FINAL 1 [Text[value=b]]"));
    assertThat(records.stream().map(record -> text(record.key())).distinct().count(), is(2L));
  }

  @Test
  void deadLettersKeepTheirBytesExactly(TestPipeline pipeline) throws Exception {
    List<byte[]> broken = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = new byte[i];
      random.nextBytes(bytes);
      broken.add(bytes);
    }
    TestStream.Builder<List<RawRecord>> stream =
        TestStream.create(ListCoder.of(RawRecordCoder.of()));
    for (byte[] bytes : broken) {
      stream = stream.addElements(at(bytes));
    }
    pipeline
        .apply(stream.advanceWatermarkToInfinity())
        .apply("sums", AggregateEvents.of(policy("accumulating"), topics()));
    pipeline.run().waitUntilFinish();

    List<String> kept = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : BROKER.consumeAll(prefix + "dead-letters")) {
      DeadLetter deadLetter = DeadLetterJson.parse(record.value());
      kept.add(Arrays.toString(deadLetter.raw().bytes()));
      assertThat(text(record.key()), is(deadLetter.reason().name()));
      assertThat(
          Arrays.stream(record.headers().toArray())
              .map(header -> header.key() + "=" + text(header.value()))
              .toList(),
          containsInAnyOrder(
              "reason=" + deadLetter.reason(), "metric=sums", "policyVersion=1", "attempts=1"));
    }
    assertThat(kept, containsInAnyOrder(broken.stream().map(Arrays::toString).toArray()));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatIsWrongIsSaidInOneLineBeforeThePipelineRuns(
      String line, Consumer<KafkaSinkOptions> change) throws Exception {
    KafkaSinkOptions options = options();
    change.accept(options);
    KafkaDestination destination = KafkaDestination.of(options).orElseThrow();
    UsageException e = assertThrows(UsageException.class, destination::prepare);
    assertThat(e.problems(), contains(startsWith(line)));
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        wrong(
            "--latestTopic=none: the cluster has no such topic",
            options -> options.setLatestTopic("none")),
        wrong(
            "--latestTopic=a b: the cluster has no such topic",
            options -> options.setLatestTopic("a b")),
        wrong(
            "--bootstrapServers=127.0.0.1:1: no answer within",
            options -> {
              options.setBootstrapServers("127.0.0.1:1");
              options.setProducerConfig(List.of("request.timeout.ms=120000"));
            }),
        wrong(
            "--bootstrapServers=nowhere: Invalid url in bootstrap.servers: nowhere",
            options -> options.setBootstrapServers("nowhere")));
  }

  private static Arguments wrong(String line, Consumer<KafkaSinkOptions> change) {
    return Arguments.of(line, change);
  }

  @Test
  void topicsThatAreThereAreNoProblem() throws Exception {
    topics().prepare();
  }

  /** DirectRunner is refused to users, but shows what Beam's sink needs. */
  @Test
  void exactlyOnceWritersAreAsManyAsThePartitionsThatTheyKeepTheirStateIn(TestPipeline pipeline) {
    List<String> lines = List.of("a", "b", "c", "d", "e", "f");
    Map<String, Object> producer = Map.of("bootstrap.servers", BROKER.bootstrapServers());
    pipeline
        .apply(Create.of(lines))
        .apply(
            WriteTopic.<String>of(prefix + "results", producer, line -> line, line -> line)
                .exactlyOnce(prefix + "group", 2));
    pipeline.run().waitUntilFinish();
    assertThat(values(BROKER.consumeAll(prefix + "results")), containsInAnyOrder(lines.toArray()));
  }

  @Test
  void theClusterSaysHowManyPartitionsATopicHas() throws Exception {
    String topic = prefix + "results";
    assertThat(
        KafkaCluster.partitions(
            Map.of("bootstrap.servers", BROKER.bootstrapServers()), Map.of("--outputTopic", topic)),
        is(Map.of(topic, 2)));
  }

  @Test
  void theConsumerOfTheExactlyOnceSinkConnectsAsItsProducerDoes() {
    Map<String, Object> security =
        Map.of("security.protocol", "SSL", "sasl.mechanism", "PLAIN", "ssl.key.password", "x");
    Map<String, Object> producer = new HashMap<>(security);
    producer.putAll(Map.of("acks", "all", "interceptor.classes", "Producing"));
    assertThat(ClientSettings.security(producer), is(security));
  }

  @Test
  void thePathOfASettingsFileMayHaveAnEqualsSign() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("env=prod"));
    Path file = Files.writeString(folder.resolve("client.properties"), "a=1\n");
    assertThat(
        ClientSettings.read("--producerConfig", List.of(file.toString()), Set.of()),
        is(Map.of("a", "1")));
  }

  @Test
  void settingsOfTheProducerComeFromFilesAndPairsOfWhichTheLastCounts() throws Exception {
    Path file = Files.writeString(directory.resolve("client.properties"), "a=1\nb = x=y\n");
    assertThat(
        ClientSettings.read(
            "--producerConfig", List.of("a=0", file.toString(), "c=3", "b=2"), Set.of()),
        is(Map.of("a", "1", "b", "2", "c", "3")));
    UsageException e =
        assertThrows(
            UsageException.class,
            () -> ClientSettings.read("--producerConfig", List.of("none"), Set.of()));
    assertThat(
        e.problems(),
        contains("--producerConfig=none: is neither name=value nor a readable properties file"));
  }

  private void run(TestPipeline pipeline, Policy policy, Destination... destinations) {
    pipeline
        .apply(
            TestStream.create(ListCoder.of(RawRecordCoder.of()))
                .addElements(at(event("a", 0)), at(event("b", 1)), at("no event"))
                .addElements(at(new String(new byte[] {0, 1}, StandardCharsets.UTF_8)))
                .advanceWatermarkTo(TIME.plus(Duration.standardMinutes(6)))
                .addElements(at(event("a", 2)))
                .advanceWatermarkTo(TIME.plus(Duration.standardMinutes(20)))
                .addElements(at(event("a", 3)))
                .advanceWatermarkToInfinity())
        .apply(policy.metric(), AggregateEvents.of(policy, Destinations.of(List.of(destinations))));
    pipeline.run().waitUntilFinish();
  }

  private static String event(String key, int minute) {
    return "{\"k\":\"%s\",\"t\":\"%s\"}"
        .formatted(key, TIME.plus(Duration.standardMinutes(minute)));
  }

  private static TimestampedValue<List<RawRecord>> at(String text) {
    return at(text.getBytes(StandardCharsets.UTF_8));
  }

  private static TimestampedValue<List<RawRecord>> at(byte[] bytes) {
    RawRecord record = new RawRecord(bytes, new Origin.FileLine("events", 0, 1L), TIME);
    return TimestampedValue.of(List.of(record), TIME);
  }

  private Policy policy(String accumulation) throws Exception {
    Path file = directory.resolve("policy.yaml");
    Files.writeString(
        file,
        """
        metric: sums
        version: "1"
        timestamp: /t
        key: {k: /k}
        window: {fixed: {size: 5m}}
        allowedLateness: 10m
        accumulation: %s
        aggregates: {n: count}
        """
            .formatted(accumulation));
    return PolicyLoader.load(file.toString());
  }

  private FileDestination files() throws UsageException {
    return FileDestination.of(new OutputDirectory(directory.resolve("out").toString()), "run");
  }

  private KafkaDestination topics() throws UsageException {
    return KafkaDestination.of(options()).orElseThrow();
  }

  private KafkaSinkOptions options() {
    KafkaSinkOptions options = PipelineOptionsFactory.as(KafkaSinkOptions.class);
    options.setRunner(DirectRunner.class);
    options.setBootstrapServers(BROKER.bootstrapServers());
    options.setOutputTopic(prefix + "results");
    options.setLatestTopic(prefix + "latest");
    options.setTooLateTopic(prefix + "too-late");
    options.setDeadLetterTopic(prefix + "dead-letters");
    return options;
  }

  private static List<String> values(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(record -> text(record.value())).toList();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private Object[] lines(String lane) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory.resolve("out").resolve(lane))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines.toArray();
  }
}
