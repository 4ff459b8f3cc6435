package dev.tidemark.gcp;

import dev.tidemark.pipelines.UsageException;
import java.util.regex.Pattern;

/** The full names that Pub/Sub has for its topics and subscriptions. */
final class PubsubNames {
  private static final String PROJECT = "[a-z][-a-z0-9:.]{4,61}[a-z0-9]";
  private static final String NAME = "(?!goog)[a-zA-Z][-._~%+a-zA-Z0-9]{2,254}";
  private static final Pattern TOPIC = pattern("topics");
  private static final Pattern SUBSCRIPTION = pattern("subscriptions");

  private PubsubNames() {}

  private static Pattern pattern(String collection) {
    return Pattern.compile("projects/" + PROJECT + "/" + collection + "/" + NAME);
  }

  /**
   * Checks the name of a topic.
   *
   * @throws UsageException naming the option, if it is none
   */
  static void checkTopic(String option, String name) throws UsageException {
    check(TOPIC, option, name, "a topic, projects/PROJECT/topics/NAME");
  }

  /**
   * Checks the name of a subscription.
   *
   * @throws UsageException naming the option, if it is none
   */
  static void checkSubscription(String option, String name) throws UsageException {
    check(SUBSCRIPTION, option, name, "a subscription, projects/PROJECT/subscriptions/NAME");
  }

  private static void check(Pattern form, String option, String name, String allowed)
      throws UsageException {
    if (!form.matcher(name).matches()) {
      throw new UsageException(option + "=" + name + ": is not the name of " + allowed);
    }
  }
}
