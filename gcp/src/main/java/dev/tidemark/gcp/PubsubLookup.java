package dev.tidemark.gcp;

import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import dev.tidemark.pipelines.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.io.gcp.pubsub.PubsubClient;
import org.apache.beam.sdk.io.gcp.pubsub.PubsubJsonClient;
import org.apache.beam.sdk.io.gcp.pubsub.PubsubOptions;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * Looks, before a pipeline starts, whether Pub/Sub has what the pipeline reads and writes. Who may
 * not look may still read or publish: the roles for that do not include it.
 */
final class PubsubLookup {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private PubsubLookup() {}

  /** Asks for something, and fails with the status that the service answers. */
  @FunctionalInterface
  private interface Question {
    boolean exists(PubsubClient client) throws IOException;
  }

  /**
   * Looks for what is read.
   *
   * @throws UsageException if it is not there, or Pub/Sub does not answer
   */
  static void check(PipelineOptions options, PubsubInput input) throws UsageException {
    if (input.isTopic()) {
      checkTopics(options, Map.of(input.option(), input.from()));
    } else {
      PubsubClient.SubscriptionPath path = PubsubClient.subscriptionPathFromPath(input.from());
      ask(
          options,
          input.option() + "=" + input.from(),
          client -> client.ackDeadlineSeconds(path) >= 0);
    }
  }

  /**
   * Looks for topics.
   *
   * @param topics by the options that name them
   * @throws UsageException naming each that is not there, or if Pub/Sub does not answer
   */
  static void checkTopics(PipelineOptions options, Map<String, String> topics)
      throws UsageException {
    List<String> problems = new ArrayList<>();
    for (Map.Entry<String, String> topic : topics.entrySet()) {
      PubsubClient.TopicPath path = PubsubClient.topicPathFromPath(topic.getValue());
      try {
        ask(options, topic.getKey() + "=" + topic.getValue(), client -> client.isTopicExists(path));
      } catch (UsageException e) {
        problems.addAll(e.problems());
      }
    }
    UsageException.throwIfAny(problems);
  }

  private static void ask(PipelineOptions options, String subject, Question question)
      throws UsageException {
    try (PubsubClient client =
        PubsubJsonClient.FACTORY.newClient(null, null, options.as(PubsubOptions.class))) {
      if (!question.exists(client)) {
        throw missing(subject);
      }
    } catch (GoogleJsonResponseException e) {
      if (e.getStatusCode() == NOT_FOUND) {
        throw missing(subject);
      }
      if (e.getStatusCode() != FORBIDDEN) {
        throw refused(subject, e);
      }
    } catch (IOException e) {
      throw refused(subject, e);
    }
  }

  private static UsageException missing(String subject) {
    return new UsageException(subject + ": Pub/Sub has none of this name");
  }

  private static UsageException refused(String subject, IOException e) {
    String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new UsageException(subject + ": Pub/Sub did not answer: " + why);
  }
}
