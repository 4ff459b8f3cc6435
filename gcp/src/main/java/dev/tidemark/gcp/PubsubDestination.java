package dev.tidemark.gcp;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.Loops;
import dev.tidemark.pipelines.Outlet;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.jspecify.annotations.Nullable;

/**
 * Topics of Pub/Sub, one for each kind of thing that leaves a pipeline. Policies may share them:
 * the metric is an attribute of every message.
 */
final class PubsubDestination implements Destination {
  private static final String OUTPUT = "--outputPubsubTopic";
  private static final String TOO_LATE = "--tooLatePubsubTopic";
  private static final String DEAD_LETTERS = "--deadLetterPubsubTopic";

  /** Pub/Sub's own limit. */
  private static final int MAX_ATTRIBUTE_BYTES = 1024;

  private final PipelineOptions options;
  private final Map<String, String> topics;

  private PubsubDestination(PipelineOptions options, Map<String, String> topics) {
    this.options = options;
    this.topics = topics;
  }

  /**
   * The topics that the options name; empty if they name none.
   *
   * @throws UsageException naming each option that is wrong, or each policy whose name or version
   *     is no attribute
   */
  static Optional<PubsubDestination> of(PipelineOptions options, List<Policy> policies)
      throws UsageException {
    Map<String, String> topics = topics(options);
    for (Map.Entry<String, String> topic : topics.entrySet()) {
      PubsubNames.checkTopic(topic.getKey(), topic.getValue());
    }
    if (topics.isEmpty()) {
      return Optional.empty();
    }
    checkAttributes(policies);
    return Optional.of(new PubsubDestination(options, topics));
  }

  private static Map<String, String> topics(PipelineOptions options) {
    PubsubRunOptions pubsub = options.as(PubsubRunOptions.class);
    Map<String, @Nullable String> topics = new LinkedHashMap<>();
    topics.put(OUTPUT, pubsub.getOutputPubsubTopic());
    topics.put(TOO_LATE, pubsub.getTooLatePubsubTopic());
    topics.put(DEAD_LETTERS, pubsub.getDeadLetterPubsubTopic());
    topics.values().removeIf(topic -> topic == null);
    return topics;
  }

  /**
   * Makes sure that a run does not feed on what it makes.
   *
   * @param read the topic that the run reads
   * @throws UsageException naming each option that writes there
   */
  static void refuseLoop(PipelineOptions options, String read) throws UsageException {
    Loops.refuse(List.of(read), topics(options));
  }

  private static void checkAttributes(List<Policy> policies) throws UsageException {
    List<String> problems = new ArrayList<>();
    for (Policy policy : policies) {
      if (isTooLong(policy.metric()) || isTooLong(policy.version())) {
        problems.add(
            "the metric or the version of %s is too long for a message's attribute; allowed: %d bytes"
                .formatted(policy.metric(), MAX_ATTRIBUTE_BYTES));
      }
    }
    UsageException.throwIfAny(problems);
  }

  private static boolean isTooLong(String attribute) {
    return attribute.getBytes(StandardCharsets.UTF_8).length > MAX_ATTRIBUTE_BYTES;
  }

  @Override
  public List<Outlet<WindowResult>> results(Policy policy) {
    return outlet(
        "Publish results",
        OUTPUT,
        result -> ResultJson.line(policy, result),
        result ->
            Map.of(
                "metric",
                policy.metric(),
                "policyVersion",
                policy.version(),
                "resultKind",
                result.kind().name(),
                PublishLines.RESULT_ID,
                ResultJson.resultId(policy, result)));
  }

  @Override
  public List<Outlet<TooLateEvent>> tooLate(Policy policy) {
    return outlet(
        "Publish too-late events",
        TOO_LATE,
        late -> ResultJson.line(policy, late),
        late -> Map.of("metric", policy.metric(), "policyVersion", policy.version()));
  }

  @Override
  public List<Outlet<DeadLetter>> deadLetters(Policy policy) {
    return outlet(
        "Publish dead letters",
        DEAD_LETTERS,
        DeadLetterJson::line,
        dead ->
            Map.of(
                "metric", dead.metric(),
                "policyVersion", dead.policyVersion(),
                "reason", dead.reason().name(),
                "attempts", String.valueOf(dead.attempts())));
  }

  private <T> List<Outlet<T>> outlet(
      String step,
      String option,
      SerializableFunction<T, String> line,
      SerializableFunction<T, Map<String, String>> attributes) {
    String topic = topics.get(option);
    return topic == null
        ? List.of()
        : List.of(new Outlet<>(step, topic, PublishLines.of(topic, line, attributes)));
  }

  @Override
  public void prepare() throws UsageException {
    PubsubLookup.checkTopics(options, topics);
  }

  /** Nothing: what Pub/Sub has, it has. */
  @Override
  public void cleanUp() {}
}
