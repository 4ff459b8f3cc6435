package dev.tidemark.benchmarks.kafkastreams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.kstream.ForeachAction;
import org.apache.kafka.streams.kstream.Windowed;
import org.jspecify.annotations.Nullable;

/**
 * What stands of each key and window: later updates replace earlier ones.
 *
 * @param afterEnd what the job's windows last beyond the end that Kafka Streams gives them, in ms
 */
record Answer<V>(long afterEnd, Map<Windowed<String>, V> standing)
    implements ForeachAction<Windowed<String>, @Nullable V> {

  Answer(long afterEnd) {
    this(afterEnd, new ConcurrentHashMap<>());
  }

  @Override
  public void apply(Windowed<String> window, @Nullable V value) {
    if (value == null) { // a session that has grown is another one
      standing.remove(window);
    } else {
      standing.put(window, value);
    }
  }

  void write(Path file) throws IOException {
    Files.write(
        file, standing.entrySet().stream().map(e -> line(e.getKey(), e.getValue())).toList());
  }

  /** As the answer has it. */
  String line(Windowed<String> window, V value) {
    long end = window.window().end() + afterEnd;
    return window.key() + "," + window.window().start() + "," + end + "," + text(value);
  }

  private String text(V value) {
    return value instanceof CountAndSum both ? both.count() + "," + both.sum() : value.toString();
  }
}
