package dev.tidemark.gcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.AggregateEvents;
import dev.tidemark.pipelines.run.Source;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.testkit.pubsub.PubsubServer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.TestStream;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A publisher may stamp its messages from the future, and the watermark with them. */
class TimestampAttributeTest {
  private final PubsubServer server = PubsubServer.start(1);
  private final String orders = server.createTopic("orders");
  private final String results = server.createTopic("results");
  private final String tooLate = server.createTopic("too-late");
  private final String deadLetters = server.createTopic("dead-letters");

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"--timestampAttribute=at,false", "--idAttribute=id,true"})
  void onlyThePublishTimeIsGuarded(String option, boolean isGuarded) throws Exception {
    Source source =
        new PubsubConnector()
            .source(options("--inputTopic=" + orders, option), List.of(policy()))
            .orElseThrow();
    assertThat(source.isGuarded(), is(isGuarded));
  }

  @Test
  void whatTheWatermarkOvertakesIsTooLateAlsoAheadOfTheClock() throws Exception {
    RunOptions options =
        options(
            "--outputPubsubTopic=" + results,
            "--tooLatePubsubTopic=" + tooLate,
            "--deadLetterPubsubTopic=" + deadLetters);
    PubsubDestination destination = PubsubDestination.of(options, List.of(policy())).orElseThrow();
    Instant now = Instant.now();
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(
            "Messages",
            TestStream.create(ListCoder.of(RawRecordCoder.of()))
                .advanceWatermarkTo(now.plus(Duration.standardDays(1)))
                .addElements(message(now))
                .advanceWatermarkToInfinity())
        .apply("m", AggregateEvents.of(policy(), destination).withGuardedWatermark(false));
    pipeline.run().waitUntilFinish();

    assertThat(server.messages(tooLate), hasSize(1));
    assertThat(server.messages(results), is(empty()));
    assertThat(server.messages(deadLetters), is(empty()));
  }

  private static List<RawRecord> message(Instant time) {
    Origin origin = new Origin.Message("projects/p-1/topics/orders", "1", time, null, Map.of());
    return List.of(new RawRecord("{\"t\":\"%s\"}".formatted(time).getBytes(UTF_8), origin, time));
  }

  private RunOptions options(String... args) {
    return PipelineOptionsFactory.fromArgs(
            Stream.concat(Stream.of(args), server.arguments().stream()).toArray(String[]::new))
        .as(RunOptions.class);
  }

  private static Policy policy() throws Exception {
    return PolicyLoader.parse(
        """
        metric: m
        version: "1"
        timestamp: /t
        key: {}
        window: {fixed: {size: 1h}}
        aggregates: {n: count}
        """,
        "policy.yaml");
  }
}
