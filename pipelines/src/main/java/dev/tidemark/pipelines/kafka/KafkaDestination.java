package dev.tidemark.pipelines.kafka;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.options.KafkaSinkOptions;
import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.Outlet;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Topics of Kafka, one for each kind of thing that leaves a pipeline. Policies may share them: the
 * metric is part of every record's key, and of its value.
 */
public final class KafkaDestination implements Destination {
  private static final String OUTPUT = "--outputTopic";
  private static final String LATEST = "--latestTopic";
  private static final String TOO_LATE = "--tooLateTopic";
  private static final String DEAD_LETTERS = "--deadLetterTopic";

  /** Those that keep every record. */
  private static final List<String> APPENDED = List.of(OUTPUT, TOO_LATE, DEAD_LETTERS);

  /** What the sinks decide themselves. */
  private static final Set<String> OURS =
      Set.of(
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG);

  /** A dead letter of the longest record, as text with every character escaped. */
  private static final int MAX_RECORD_BYTES = 64 << 20;

  private final Map<String, String> topics;
  private final Map<String, Object> producer;
  private final @Nullable String exactlyOnceGroup;
  private final Map<String, Integer> partitions;

  private KafkaDestination(
      Map<String, String> topics,
      Map<String, Object> producer,
      @Nullable String exactlyOnceGroup,
      Map<String, Integer> partitions) {
    this.topics = topics;
    this.producer = producer;
    this.exactlyOnceGroup = exactlyOnceGroup;
    this.partitions = partitions;
  }

  /**
   * The topics that the options name; empty if they name none.
   *
   * @throws UsageException if the brokers are missing, the runner cannot do what is asked, or an
   *     option would do nothing
   */
  public static Optional<KafkaDestination> of(KafkaSinkOptions options) throws UsageException {
    Map<String, String> topics = topics(options);
    refuseIdle(options, topics.keySet());
    if (topics.isEmpty()) {
      return Optional.empty();
    }
    checkRunner(options);
    Map<String, Object> producer = producer(options);
    String group = options.getExactlyOnceGroup();
    Map<String, Integer> partitions =
        group == null ? Map.of() : KafkaCluster.partitions(producer, topics);
    return Optional.of(new KafkaDestination(topics, producer, group, partitions));
  }

  /** Refuses what a user would believe to have an effect. */
  private static void refuseIdle(KafkaSinkOptions options, Set<String> given)
      throws UsageException {
    if (options.getProducerConfig() != null && given.isEmpty()) {
      throw new UsageException("--producerConfig: no topic is written to; leave it out");
    }
    if (options.getExactlyOnceGroup() != null && Collections.disjoint(given, APPENDED)) {
      throw new UsageException(
          "--exactlyOnceGroup=%s: is for %s; give one of them, or leave it out"
              .formatted(options.getExactlyOnceGroup(), String.join(", ", APPENDED)));
    }
  }

  /** The topics that the options name, by those options. */
  public static Map<String, String> topics(KafkaSinkOptions options) {
    Map<String, @Nullable String> topics = new LinkedHashMap<>();
    topics.put(OUTPUT, options.getOutputTopic());
    topics.put(LATEST, options.getLatestTopic());
    topics.put(TOO_LATE, options.getTooLateTopic());
    topics.put(DEAD_LETTERS, options.getDeadLetterTopic());
    topics.values().removeIf(topic -> topic == null);
    return topics;
  }

  private static Map<String, Object> producer(KafkaSinkOptions options) throws UsageException {
    Map<String, Object> producer = new HashMap<>();
    // So that what a producer tries again is neither doubled nor overtaken.
    producer.put(ProducerConfig.ACKS_CONFIG, "all");
    producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    producer.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
    producer.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_RECORD_BYTES);
    producer.put(ProducerConfig.BUFFER_MEMORY_CONFIG, MAX_RECORD_BYTES); // or it would not fit
    producer.putAll(ClientSettings.read("--producerConfig", options.getProducerConfig(), OURS));
    producer.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, ClientSettings.bootstrapServers(options));
    return producer;
  }

  /**
   * Beam's sink names its writer in a transaction before a checkpoint knows the name. A Flink job
   * that is killed between the two can never start again; the other runners keep no checkpoints.
   */
  private static void checkRunner(KafkaSinkOptions options) throws UsageException {
    String runner = options.getRunner().getName();
    if (options.getExactlyOnceGroup() != null
        && !runner.startsWith("org.apache.beam.runners.dataflow.")) {
      throw new UsageException(
          "--exactlyOnceGroup=%s: %s cannot do that, DataflowRunner can"
              .formatted(options.getExactlyOnceGroup(), options.getRunner().getSimpleName()));
    }
  }

  @Override
  public List<Outlet<WindowResult>> results(Policy policy) {
    List<Outlet<WindowResult>> outlets =
        new ArrayList<>(
            appended(
                "Send results",
                OUTPUT,
                policy,
                result -> ResultJson.subject(policy, result.key(), result.window()),
                result -> ResultJson.line(policy, result),
                result -> Map.of()));
    String latest = topics.get(LATEST);
    if (latest != null) {
      outlets.add(
          new Outlet<>(
              "Send latest results", place(latest), WriteLatest.of(policy, latest, producer)));
    }
    return outlets;
  }

  @Override
  public List<Outlet<TooLateEvent>> tooLate(Policy policy) {
    return appended(
        "Send too-late events",
        TOO_LATE,
        policy,
        late -> ResultJson.subject(policy, late.event().key(), late.window()),
        late -> ResultJson.line(policy, late),
        late -> Map.of());
  }

  @Override
  public List<Outlet<DeadLetter>> deadLetters(Policy policy) {
    return appended(
        "Send dead letters",
        DEAD_LETTERS,
        policy,
        dead -> dead.reason().name(),
        DeadLetterJson::line,
        dead ->
            Map.of(
                "reason", dead.reason().name(),
                "metric", dead.metric(),
                "policyVersion", dead.policyVersion(),
                "attempts", String.valueOf(dead.attempts())));
  }

  private <T> List<Outlet<T>> appended(
      String step,
      String option,
      Policy policy,
      SerializableFunction<T, String> key,
      SerializableFunction<T, String> line,
      SerializableFunction<T, Map<String, String>> headers) {
    String topic = topics.get(option);
    if (topic == null) {
      return List.of();
    }
    WriteTopic<T> write = WriteTopic.of(topic, producer, key, line).withHeaders(headers);
    return List.of(
        new Outlet<>(
            step,
            place(topic),
            exactlyOnceGroup == null
                ? write
                : write.exactlyOnce(
                    exactlyOnceGroup + "-" + policy.metric() + option,
                    Objects.requireNonNull(partitions.get(topic)))));
  }

  private static String place(String topic) {
    return "topic " + topic;
  }

  @Override
  public void prepare() throws UsageException {
    KafkaCluster.check(producer, topics);
  }

  /** Nothing: what Kafka has, it has. */
  @Override
  public void cleanUp() {}
}
