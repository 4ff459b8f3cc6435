package dev.tidemark.pipelines.kafka;

import dev.tidemark.pipelines.UsageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Looks topics up before a pipeline runs, so that what is wrong is said soon and in one line. */
final class TopicCheck {
  private static final int TIMEOUT_MS = 20_000;

  private TopicCheck() {}

  /**
   * Makes sure that topics are there, as far as a client with these settings can see.
   *
   * @param settings of the client that is going to use them, with {@code bootstrap.servers}
   * @param topics by the option that names each
   * @throws UsageException within half a minute, naming each topic that is missing, or saying why
   *     the brokers do not answer
   */
  static void check(Map<String, Object> settings, Map<String, String> topics)
      throws UsageException {
    Object servers = settings.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
    try (Admin admin = Admin.create(ofAdmin(settings))) {
      Map<String, KafkaFuture<TopicDescription>> found =
          admin.describeTopics(topics.values().stream().distinct().toList()).topicNameValues();
      List<String> problems = new ArrayList<>();
      for (Map.Entry<String, String> topic : topics.entrySet()) {
        String problem = problem(found.get(topic.getValue()));
        if (problem != null) {
          problems.add(topic.getKey() + "=" + topic.getValue() + ": " + problem + " at " + servers);
        }
      }
      if (!problems.isEmpty()) {
        throw new UsageException(problems);
      }
    } catch (KafkaException e) {
      throw new UsageException("--bootstrapServers=" + servers + ": " + reason(e));
    }
  }

  private static @Nullable String problem(KafkaFuture<TopicDescription> topic) {
    try {
      topic.get();
      return null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException) {
        return "there is no such topic";
      }
      throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted", e);
    }
  }

  private static String reason(KafkaException e) {
    if (e instanceof TimeoutException) {
      return "no broker answers; check the address and the security settings";
    }
    Throwable innermost = e;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage()).lines().findFirst().orElse("");
  }

  /** Only what an admin client knows: it would warn of the rest. */
  private static Map<String, Object> ofAdmin(Map<String, Object> settings) {
    Map<String, Object> ofAdmin = new HashMap<>(settings);
    ofAdmin.keySet().retainAll(AdminClientConfig.configNames());
    ofAdmin.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    ofAdmin.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    return ofAdmin;
  }
}
