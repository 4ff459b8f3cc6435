package dev.tidemark.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topics of all engines, on a broker that starts when the first is asked for. The broker's
 * processor time is not counted, but the broker works on the same cores.
 */
final class Topics {
  private final Map<Path, Long> filled = new HashMap<>();
  private @Nullable BrokerProcess broker;
  private int created;

  String bootstrapServers() throws IOException {
    return broker().bootstrapServers();
  }

  /** The topic that has the lines of a directory's files; filled once. */
  String of(Path input) throws IOException {
    if (!filled.containsKey(input)) {
      filled.put(input, broker().fill(input));
    }
    return input.getFileName().toString();
  }

  /** How many lines such a topic has. */
  long lines(Path input) {
    return filled.get(input);
  }

  /** A new topic of one partition, without records. */
  String create() throws IOException {
    String topic = "output-" + created++;
    broker().create(topic);
    return topic;
  }

  private BrokerProcess broker() throws IOException {
    if (broker == null) {
      broker = BrokerProcess.start();
    }
    return broker;
  }
}
