package dev.tidemark.gcp;

import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.kafka.KafkaDestination;
import dev.tidemark.pipelines.run.Source;
import dev.tidemark.policy.Policy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.sdk.extensions.gcp.options.GcpOptions;
import org.jspecify.annotations.Nullable;

/**
 * Which messages to read.
 *
 * @param option that chose them
 * @param from the full name of a subscription, or of a topic
 * @param timestampAttribute that the watermark follows; null for the publish time
 * @param idAttribute that tells duplicates; null for the service's message id
 */
record PubsubInput(
    String option, String from, @Nullable String timestampAttribute, @Nullable String idAttribute) {
  private static final String SUBSCRIPTION = "--subscription";
  private static final String TOPIC = "--inputTopic";

  /** What no message has; of a subscription nobody tells the topic. */
  private static final Set<String> ABSENT = Set.of("topic", "partition", "offset");

  /**
   * What the options say; empty if they name nothing of Pub/Sub to read.
   *
   * @throws UsageException naming each option that is wrong
   */
  static Optional<PubsubInput> of(RunOptions options, List<Policy> policies) throws UsageException {
    PubsubRunOptions pubsub = options.as(PubsubRunOptions.class);
    String subscription = pubsub.getSubscription();
    String topic = pubsub.getInputTopic();
    if (subscription != null && topic != null) {
      throw new UsageException(SUBSCRIPTION + " and " + TOPIC + " are given; give one of them");
    }
    if (subscription == null && topic == null) {
      refuseIdle(pubsub);
      return Optional.empty();
    }
    PubsubInput input =
        new PubsubInput(
            subscription == null ? TOPIC : SUBSCRIPTION,
            subscription == null ? topic : subscription,
            pubsub.getTimestampAttribute(),
            pubsub.getIdAttribute());
    input.check(options, policies);
    return Optional.of(input);
  }

  /** Refuses what a user would believe to have an effect. */
  private static void refuseIdle(PubsubRunOptions options) throws UsageException {
    Map<String, @Nullable String> attributes = new LinkedHashMap<>();
    attributes.put("--timestampAttribute", options.getTimestampAttribute());
    attributes.put("--idAttribute", options.getIdAttribute());
    List<String> problems = new ArrayList<>();
    attributes.forEach(
        (option, attribute) -> {
          if (attribute != null) {
            problems.add(
                "%s=%s: nothing of Pub/Sub is read; give %s or %s, or leave it out"
                    .formatted(option, attribute, SUBSCRIPTION, TOPIC));
          }
        });
    UsageException.throwIfAny(problems);
  }

  /** Whether {@link #from} is a topic. */
  boolean isTopic() {
    return option.equals(TOPIC);
  }

  private void check(RunOptions options, List<Policy> policies) throws UsageException {
    if (isTopic()) {
      PubsubNames.checkTopic(option, from);
      checkProject(options);
      PubsubDestination.refuseLoop(options, from);
    } else {
      PubsubNames.checkSubscription(option, from);
    }
    refuseOptionsOfKafka(options);
    Source.checkMetadata(
        policies,
        option,
        pointer -> ABSENT.contains(pointer.tokens().get(0)),
        "which messages do not have; read a topic of Kafka");
  }

  private void checkProject(RunOptions options) throws UsageException {
    if (options.as(GcpOptions.class).getProject() == null) {
      throw new UsageException(
          option + "=" + from + ": needs --project, in which its subscription is made");
    }
  }

  private static void refuseOptionsOfKafka(RunOptions options) throws UsageException {
    List<String> problems = new ArrayList<>();
    if (options.getStopAfter() != null) {
      problems.add("--stopAfter: is for topics of Kafka; cancel the run, or drain it");
    }
    if (options.getStartFrom() != null) {
      problems.add("--startFrom: is for topics of Kafka; seek the subscription");
    }
    if (options.getConsumerConfig() != null) {
      problems.add("--consumerConfig: no topic of Kafka is read; leave it out");
    }
    if (options.getBootstrapServers() != null && KafkaDestination.topics(options).isEmpty()) {
      problems.add("--bootstrapServers: no topic of Kafka is read or written; leave it out");
    }
    UsageException.throwIfAny(problems);
  }
}
