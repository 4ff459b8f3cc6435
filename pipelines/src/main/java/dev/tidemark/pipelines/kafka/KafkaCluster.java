package dev.tidemark.pipelines.kafka;

import dev.tidemark.pipelines.UsageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/**
 * Looks, before a pipeline starts, whether the cluster answers and has the topics of a pipeline.
 */
final class KafkaCluster {
  private static final int TIMEOUT_SECONDS = 15;

  private KafkaCluster() {}

  /**
   * Looks up what a pipeline would otherwise wait for without end.
   *
   * @return the input with the topics that the cluster has and shows, in place of a pattern
   * @throws UsageException naming what is wrong: the connection, or each topic that is missing
   */
  static KafkaInput resolve(KafkaInput input) throws UsageException {
    Set<String> topics = topics(input.consumer());
    List<String> chosen = input.chosen(topics);
    List<String> problems = new ArrayList<>();
    for (String topic : input.topics()) {
      if (!chosen.contains(topic)) {
        problems.add(missing("--topic", topic));
      }
    }
    if (chosen.isEmpty() && problems.isEmpty()) {
      problems.add(
          "--topicPattern=" + input.topicPattern() + ": matches no topic that the cluster shows");
    }
    UsageException.throwIfAny(problems);
    return input.ofTopics(chosen);
  }

  /**
   * Checks that there are topics to write to.
   *
   * @param settings of the client that will write
   * @param topics by the options that name them
   * @throws UsageException naming what is wrong: the connection, or each topic that is missing
   */
  static void check(Map<String, Object> settings, Map<String, String> topics)
      throws UsageException {
    Set<String> existing = topics(settings);
    List<String> problems = new ArrayList<>();
    topics.forEach(
        (option, topic) -> {
          if (!existing.contains(topic)) {
            problems.add(missing(option, topic));
          }
        });
    UsageException.throwIfAny(problems);
  }

  private static String missing(String option, String topic) {
    return option + "=" + topic + ": the cluster has no such topic, or does not show it";
  }

  /**
   * How many partitions each topic has.
   *
   * @param settings of the client that will write
   * @param topics by the options that name them
   * @throws UsageException as {@link #check}
   */
  static Map<String, Integer> partitions(Map<String, Object> settings, Map<String, String> topics)
      throws UsageException {
    check(settings, topics);
    return partitions(settings, topics.values());
  }

  /**
   * How many partitions each topic has.
   *
   * @param settings of the client that will read or write
   * @throws UsageException if the cluster does not answer, or lacks one of the topics
   */
  static Map<String, Integer> partitions(Map<String, Object> settings, Collection<String> topics)
      throws UsageException {
    Map<String, Integer> partitions = new HashMap<>();
    ask(settings, admin -> admin.describeTopics(topics).allTopicNames())
        .forEach((topic, description) -> partitions.put(topic, description.partitions().size()));
    return partitions;
  }

  private static Set<String> topics(Map<String, Object> settings) throws UsageException {
    return ask(settings, admin -> admin.listTopics().names());
  }

  private static <T> T ask(Map<String, Object> settings, Function<Admin, KafkaFuture<T>> question)
      throws UsageException {
    Object servers = settings.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG);
    try (Admin admin = Admin.create(quick(settings))) {
      return question.apply(admin).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw refused(servers, root(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static Map<String, Object> quick(Map<String, Object> settings) {
    Map<String, Object> quick = new HashMap<>(settings);
    quick.keySet().retainAll(AdminClientConfig.configNames());
    // A user's timeouts are for the pipeline's clients; one alone may not fit with the other here.
    int millis = (int) TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS - 1);
    quick.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    quick.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    return quick;
  }

  /** What Kafka's own wrappers do not say. */
  private static Throwable root(Throwable e) {
    return e.getCause() == null ? e : root(e.getCause());
  }

  private static UsageException refused(Object servers, Throwable cause) {
    boolean silent =
        cause instanceof TimeoutException
            || cause instanceof org.apache.kafka.common.errors.TimeoutException;
    String why =
        silent
            ? "no answer within "
                + TIMEOUT_SECONDS
                + " s; is the address right, and does the"
                + " broker want security.protocol=SSL or SASL_SSL?"
            : String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return new UsageException("--bootstrapServers=" + servers + ": " + why);
  }
}
