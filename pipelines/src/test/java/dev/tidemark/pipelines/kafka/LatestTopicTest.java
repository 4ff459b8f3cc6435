package dev.tidemark.pipelines.kafka;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.ReferenceModel;
import dev.tidemark.testkit.ReferenceModel.KeyedWindow;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.ScriptedPipeline;
import dev.tidemark.testkit.kafka.KafkaBroker;
import dev.tidemark.transforms.InModelTerms;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowedAggregation;
import dev.tidemark.transforms.lateness.LatenessGate;
import dev.tidemark.transforms.reconcile.ResultLine;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** A compacted topic ends as the latest view of the reference model. */
class LatestTopicTest {
  private static @Nullable KafkaBroker broker;
  private static int topics;

  @BeforeContainer
  static void startBroker() {
    broker = KafkaBroker.start();
  }

  @AfterContainer
  static void stopBroker() {
    broker().close();
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.any();
  }

  @Property(tries = 60)
  void theLastRecordOfEachKeyIsTheNewestValueAndATombstoneWhereNoneStands(
      @ForAll("scenarios") Scenario scenario) {
    String topic = "latest-" + ++topics;
    broker().createTopic(topic, 3, Map.of("cleanup.policy", "compact"));
    ScriptedPipeline script = ScriptedPipeline.of(scenario.steps());
    script
        .events()
        .apply("Aggregate", WindowedAggregation.of(scenario.policy()))
        .results()
        .apply(
            "Send latest results",
            WriteLatest.of(
                scenario.policy(),
                topic,
                Map.of("bootstrap.servers", broker().bootstrapServers(), "linger.ms", 0)));
    var unused = script.run();

    assertThat(
        view(scenario.policy(), broker().consumeAll(topic)),
        is(
            ReferenceModel.latestView(
                ReferenceModel.run(scenario.policy(), scenario.steps(), LatenessGate.MARGIN)
                    .results())));
  }

  /** What compaction would leave, as each reader of the topic sees it in the end. */
  private static Map<KeyedWindow, List<@Nullable Object>> view(
      Policy policy, List<ConsumerRecord<byte[], byte[]>> records) {
    Map<String, byte[]> last = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      last.put(text(record.key()), record.value());
    }
    Map<KeyedWindow, List<@Nullable Object>> view = new HashMap<>();
    last.forEach(
        (key, value) -> {
          if (value != null) {
            WindowResult result = ResultLine.parse(text(value)).result();
            assertThat(key, is(ResultJson.subject(policy, result.key(), result.window())));
            view.put(
                new KeyedWindow(result.key(), InModelTerms.window(result.window())),
                InModelTerms.values(result.value()));
          }
        });
    return view;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static KafkaBroker broker() {
    if (broker == null) {
      throw new IllegalStateException("no broker");
    }
    return broker;
  }
}
