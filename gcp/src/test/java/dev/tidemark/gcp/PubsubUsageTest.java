package dev.tidemark.gcp;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.Command.Outcome;
import dev.tidemark.testkit.pubsub.PubsubServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused before anything is read or published. */
class PubsubUsageTest {
  private static final String IN = "projects/" + PubsubServer.PROJECT + "/topics/orders";
  private static final String SUBSCRIPTION =
      "--subscription=projects/" + PubsubServer.PROJECT + "/subscriptions/orders";
  private static final String TOPIC = "--inputTopic=" + IN;
  private static final String OUTPUT = "--output=out";
  private static final String NO_TOPIC = "projects/" + PubsubServer.PROJECT + "/topics/none";

  private static PubsubServer server;
  @TempDir private Path directory = Path.of("");

  @BeforeAll
  static void start() {
    server = PubsubServer.start(1);
    server.createSubscription("orders", server.createTopic("orders"), 10);
  }

  @AfterAll
  static void close() {
    server.close();
  }

  static Stream<Arguments> wrongUsage() {
    return Stream.of(
        refused("--subscription and --inputTopic are given; give one", SUBSCRIPTION, TOPIC, OUTPUT),
        refused(
            "--input and --subscription are given; give one", SUBSCRIPTION, "--input=x", OUTPUT),
        refused("--topic and --inputTopic are given; give one", TOPIC, "--topic=x", OUTPUT),
        refused("--subscription=orders: is not the name of a", "--subscription=orders", OUTPUT),
        refused("--subscription=" + IN + ": is not the name", "--subscription=" + IN, OUTPUT),
        refused("--inputTopic=projects/p: is not the name of a", "--inputTopic=projects/p", OUTPUT),
        refused("--outputPubsubTopic=x: is not the", SUBSCRIPTION, OUTPUT, "--outputPubsubTopic=x"),
        refused("--tooLatePubsubTopic=x: is not", SUBSCRIPTION, OUTPUT, "--tooLatePubsubTopic=x"),
        refused(
            "--deadLetterPubsubTopic=projects/Bad/topics/abc: is not the name of a topic",
            SUBSCRIPTION,
            OUTPUT,
            "--deadLetterPubsubTopic=projects/Bad/topics/abc"),
        refused("--timestampAttribute=at: nothing of", "--timestampAttribute=at", OUTPUT),
        refused("--idAttribute=id: nothing of", "--idAttribute=id", "--input=x", OUTPUT),
        refused("--stopAfter: is for", SUBSCRIPTION, OUTPUT, "--stopAfter=1m"),
        refused("--startFrom: is for", SUBSCRIPTION, OUTPUT, "--startFrom=latest"),
        refused("--consumerConfig: no topic", SUBSCRIPTION, OUTPUT, "--consumerConfig=a=b"),
        refused("--bootstrapServers: no topic", SUBSCRIPTION, OUTPUT, "--bootstrapServers=h:9"),
        refused("--outputPubsubTopic=" + IN + ": is", TOPIC, OUTPUT, "--outputPubsubTopic=" + IN),
        refused(
            "--subscription=" + NO_TOPIC.replace("topics", "subscriptions") + ": Pub/Sub has none",
            "--subscription=" + NO_TOPIC.replace("topics", "subscriptions"),
            OUTPUT),
        refused("--inputTopic=" + NO_TOPIC + ": Pub/Sub", "--inputTopic=" + NO_TOPIC, OUTPUT),
        refused(
            "--tooLatePubsubTopic=" + NO_TOPIC + ": Pub/Sub has none",
            SUBSCRIPTION,
            OUTPUT,
            "--tooLatePubsubTopic=" + NO_TOPIC),
        refused(
            "the results of orders have no destination",
            SUBSCRIPTION,
            "--deadLetterPubsubTopic=" + IN,
            "--tooLatePubsubTopic=" + IN),
        refused("unknown option --inputTopics; did you mean --inputTopic?", "--inputTopics=x"),
        refused("unknown option --subscripton; did you mean --subscription?", "--subscripton=x"));
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void wrongUsageIsOneLine(String problem, List<String> options) throws Exception {
    Outcome outcome = run("/k", options);
    assertThat(outcome.errLines(), contains(startsWith("tidemark: " + problem)));
    assertThat(outcome.exitCode(), is(2));
  }

  static Stream<Arguments> absent() {
    return Stream.of("topic", "partition", "offset")
        .flatMap(part -> Stream.of(Arguments.of(part, SUBSCRIPTION), Arguments.of(part, TOPIC)));
  }

  @ParameterizedTest
  @MethodSource("absent")
  void aPolicyThatReadsWhatNoMessageHasIsRefused(String part, String source) throws Exception {
    Outcome outcome = run("\"#/" + part + "\"", List.of(source, OUTPUT));
    assertThat(
        outcome.errLines(),
        contains(
            startsWith(
                "tidemark: %s: orders reads #/%s, which messages do not have"
                    .formatted(source.split("=", 2)[0], part))));
    assertThat(outcome.exitCode(), is(2));
  }

  private Outcome run(String key, List<String> options) throws Exception {
    Path policy = directory.resolve("policy.yaml");
    Files.writeString(
        policy,
        """
        metric: orders
        version: "1"
        timestamp: /t
        key: {k: %s}
        window: {fixed: {size: 1m}}
        aggregates: {n: count}
        """
            .formatted(key));
    String[] args =
        Stream.of(
                Stream.of("run", "--policy=" + policy),
                options.stream().map(each -> each.replace("=out", "=" + directory.resolve("out"))),
                server.arguments().stream())
            .flatMap(each -> each)
            .toArray(String[]::new);
    return Command.runHere(args);
  }

  private static Arguments refused(String problem, String... options) {
    return Arguments.of(problem, List.of(options));
  }
}
