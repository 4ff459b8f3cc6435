package dev.tidemark.gcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.testkit.pubsub.Message;
import dev.tidemark.testkit.pubsub.PubsubServer;
import java.io.ByteArrayOutputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PublishLinesTest {
  private static final Map<String, String> ATTRIBUTES = Map.of("metric", "m", "resultId", "r");

  private final PubsubServer server = PubsubServer.start(1);
  private final String topic = server.createTopic("lines");

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(PCollection.IsBounded.class)
  void aLineIsTheDataOfAMessage(PCollection.IsBounded bounded) {
    String longest = "x".repeat(PublishLines.MAX_DATA_BYTES);
    publish(longest, bounded);

    Message message = server.messages(topic).get(0);
    assertThat(message.text(), is(longest));
    assertThat(message.attributes(), is(ATTRIBUTES));
    assertThat(server.messages(topic), hasSize(1));
  }

  @ParameterizedTest
  @EnumSource(PCollection.IsBounded.class)
  void aLineThatIsTooLargeGoesInPartsThatGiveItBack(PCollection.IsBounded bounded) {
    // Three bytes a character, so that parts end inside of one.
    String line = "\u20ac".repeat(PublishLines.MAX_DATA_BYTES);
    publish(line, bounded);

    List<Message> parts =
        server.messages(topic).stream()
            .sorted(Comparator.comparing((Message part) -> part.attributes().get("part")))
            .toList();
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    parts.forEach(part -> joined.writeBytes(part.data()));
    assertThat(joined.toString(UTF_8).equals(line), is(true));
    assertThat(
        parts.stream().map(part -> part.attributes().get("part")).toList(),
        contains("1", "2", "3"));
    assertThat(
        parts.stream().map(part -> part.attributes().get("lineId")).distinct().toList(),
        hasSize(1));
    assertThat(parts.get(0).attributes().keySet(), is(Set.of("metric", "lineId", "part", "parts")));
  }

  private void publish(String line, PCollection.IsBounded bounded) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(server.arguments().toArray(String[]::new)).create());
    pipeline
        .apply("Lines", Create.of(line).withCoder(StringUtf8Coder.of()))
        .setIsBoundedInternal(bounded)
        .apply("Publish", PublishLines.of(topic, each -> each, each -> ATTRIBUTES));
    pipeline.run().waitUntilFinish();
  }
}
