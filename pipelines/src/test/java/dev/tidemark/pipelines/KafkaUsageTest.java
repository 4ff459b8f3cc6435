package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.pipelines.Command.Outcome;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The command over topics of a real broker. */
class KafkaUsageTest {
  private static final String BROKER = "BROKER";
  private static final String SECURED = "--bootstrapServers=SECURED";
  private static final String NOBODY = "--bootstrapServers=127.0.0.1:9";
  private static final String SERVERS = "--bootstrapServers=" + BROKER;
  private static final String TOPIC = "--topic=payments";
  private static KafkaBroker broker;

  @TempDir private Path directory = Path.of("");

  @BeforeAll
  static void startBroker() {
    broker = KafkaBroker.start();
    broker.createTopic("payments", 2);
    broker.createTopic("dead-letters", 1);
    broker.produce(List.of(new ProducerRecord<>("payments", new byte[] {'{', '}'})));
  }

  @AfterAll
  static void closeBroker() {
    broker.close();
  }

  @BeforeEach
  void files() throws Exception {
    Path policies = Path.of(System.getProperty("tidemark.root"), "testdata", "policies");
    Files.copy(policies.resolve("revenue-per-store.yaml"), directory.resolve("policy.yaml"));
    String policy = Files.readString(directory.resolve("policy.yaml"));
    Files.writeString(
        directory.resolve("headers.yaml"), policy.replace("/store_id", "\"#/headers/store\""));
    Files.writeString(
        directory.resolve("messages.yaml"), policy.replace("/store_id", "\"#/messageId\""));
    Files.writeString(directory.resolve("events.ndjson"), "{}\n");
    Files.writeString(directory.resolve("ssl.properties"), "security.protocol=SSL\n");
    sasl("right.properties", KafkaBroker.PASSWORD);
    sasl("wrong.properties", "wrong");
  }

  private void sasl(String file, String password) throws IOException {
    Files.writeString(
        directory.resolve(file),
        """
        security.protocol=SASL_PLAINTEXT
        sasl.mechanism=PLAIN
        sasl.jaas.config=%s required username="%s" password="%s";
        """
            .formatted(PlainLoginModule.class.getName(), KafkaBroker.USER, password));
  }

  static Stream<Arguments> wrongUsage() {
    return Stream.of(
        refused("--input and --topic are given; give one of them", "--input=events.ndjson", TOPIC),
        refused("missing option --bootstrapServers; see tidemark run --help", TOPIC),
        refused("--topic and --topicPattern are given; ", SERVERS, TOPIC, "--topicPattern=p.*"),
        refused("--topic=none: the cluster has no such topic", SERVERS, "--topic=payments,none"),
        refused("--latestTopic=payments: is read too", SERVERS, TOPIC, "--latestTopic=payments"),
        refused(
            "--deadLetterTopic=payments: is read too",
            SERVERS,
            "--topicPattern=.*",
            "--deadLetterTopic=payments"),
        refused("--startFrom: files are", "--input=events.ndjson", "--startFrom=earliest"),
        refused("--consumerConfig: no topic", "--input=events.ndjson", "--consumerConfig=a=b"),
        refused("--bootstrapServers: no topic is read or", "--input=events.ndjson", SERVERS),
        refused("--producerConfig: no topic", SERVERS, TOPIC, "--producerConfig=a=b"),
        refused(
            "--exactlyOnceGroup=job: is for --outputTopic, ",
            "--input=events.ndjson",
            SERVERS,
            "--latestTopic=payments",
            "--exactlyOnceGroup=job"),
        refused("--topicPattern=pay: matches no topic", SERVERS, "--topicPattern=pay"),
        refused("--topicPattern=(: is not a regular expression", SERVERS, "--topicPattern=("),
        refused("--startFrom=noon: must be", SERVERS, TOPIC, "--startFrom=noon"),
        refused("--startFrom=committed: needs", SERVERS, TOPIC, "--startFrom=committed"),
        refused("--stopAfter=soon: must be", SERVERS, TOPIC, "--stopAfter=soon"),
        refused("--stopAfter: files end", "--input=events.ndjson", "--stopAfter=1m"),
        refused("--consumerConfig=x: is neither", SERVERS, TOPIC, "--consumerConfig=x"),
        refused(
            "--consumerConfig: enable.auto.commit is not for you to set",
            SERVERS,
            TOPIC,
            "--consumerConfig=enable.auto.commit=true"),
        refused("--bootstrapServers=127.0.0.1:9: no answer within 15 s", NOBODY, TOPIC),
        refused("--bootstrapServers=nowhere: Invalid url", "--bootstrapServers=nowhere", TOPIC),
        refused(
            "--bootstrapServers=127.0.0.1:.*: (no answer|SSL handshake)",
            SERVERS,
            TOPIC,
            "--consumerConfig=ssl.properties"),
        refused(
            "--bootstrapServers=127.0.0.1:.*: Authentication failed: Invalid username or password",
            SECURED,
            TOPIC,
            "--consumerConfig=wrong.properties"),
        refused(
            "--bootstrapServers=127.0.0.1:.*: Authentication failed: Invalid username or password",
            SECURED,
            TOPIC,
            "--deadLetterTopic=dead-letters",
            "--consumerConfig=right.properties",
            "--producerConfig=wrong.properties"),
        refused(
            "--bootstrapServers=127.0.0.1:.*: Could not find a 'KafkaClient' entry",
            SERVERS,
            TOPIC,
            "--consumerConfig=security.protocol=SASL_PLAINTEXT"));
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void wrongUsageIsRefusedInOneLineAndWritesNothing(String line, List<String> options)
      throws Exception {
    Outcome outcome = run("policy.yaml", options);
    assertThat(
        outcome.errLines(),
        contains(matchesPattern("tidemark: " + line.replace("(:", "\\(:") + ".*")));
    assertThat(outcome.exitCode(), is(2));
    assertThat(Files.exists(directory.resolve("out")), is(false));
  }

  @Test
  void nothingIsDeletedBeforeEverythingIsChecked() throws Exception {
    Path result = directory.resolve("out/results/old.ndjson");
    Files.createDirectories(result.getParent());
    Files.writeString(result, "{}\n");
    Outcome outcome =
        run(
            "policy.yaml",
            List.of(SERVERS, "--input=events.ndjson", "--overwrite", "--outputTopic=none"));
    assertThat(
        outcome.errLines(),
        contains(startsWith("tidemark: --outputTopic=none: the cluster has no such topic")));
    assertThat(outcome.exitCode(), is(2));
    assertThat(Files.exists(result), is(true));
  }

  static Stream<Arguments> absentMetadata() {
    return Stream.of(
        refused("--input: revenue-per-store reads #/headers/store", "--input=events.ndjson"),
        refused("--input: revenue-per-store reads #/messageId", "--input=events.ndjson"),
        refused("--topic: revenue-per-store reads #/messageId", SERVERS, TOPIC));
  }

  @ParameterizedTest
  @MethodSource("absentMetadata")
  void aPolicyThatReadsWhatNoRecordHasIsRefused(String line, List<String> options)
      throws Exception {
    String policy = line.endsWith("store") ? "headers.yaml" : "messages.yaml";
    Outcome outcome = run(policy, options);
    assertThat(outcome.errLines(), contains(startsWith("tidemark: " + line + ", which")));
    assertThat(outcome.exitCode(), is(2));
  }

  @Test
  void aRunEndsByItselfAndSaysWhatBecameOfEveryRecord() throws Exception {
    Outcome outcome =
        run("policy.yaml", List.of(SERVERS, "--topicPattern=pay.*|__.*", "--stopAfter=10s"));
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(outcome.errLines(), hasItem(startsWith("revenue-per-store: 0 counted, ")));
  }

  @Test
  void theRightPasswordReadsAndWrites() throws Exception {
    Outcome outcome =
        run(
            "policy.yaml",
            List.of(
                SECURED,
                TOPIC,
                "--deadLetterTopic=dead-letters",
                "--consumerConfig=right.properties",
                "--producerConfig=right.properties",
                "--stopAfter=10s"));
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(broker.consumeAll("dead-letters"), hasSize(1));
  }

  private Outcome run(String policy, List<String> options) throws Exception {
    List<String> args = new ArrayList<>(List.of("run", "--policy=" + policy, "--output=out"));
    for (String option : options) {
      args.add(
          option
              .replace(BROKER, broker.bootstrapServers())
              .replace("SECURED", broker.securedServers()));
    }
    return Command.run(directory, args.toArray(String[]::new));
  }

  private static Arguments refused(String line, String... options) {
    return Arguments.of(line, List.of(options));
  }
}
