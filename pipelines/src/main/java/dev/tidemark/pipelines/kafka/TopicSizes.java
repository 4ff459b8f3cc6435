package dev.tidemark.pipelines.kafka;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How many partitions the topics of a reader have, as its consumer last heard. Consumer and reader
 * are in one process, but Beam copies what a source is made of on the way from one to the other:
 * all copies know the same.
 *
 * <p>Kept until {@link #close}.
 */
final class TopicSizes implements Serializable, AutoCloseable {
  private static final ConcurrentMap<String, Map<String, Integer>> OPEN = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();

  TopicSizes() {
    OPEN.put(id, Map.of());
  }

  /** Told from any thread; after the end, nothing is kept. */
  void put(String topic, int size) {
    OPEN.computeIfPresent(id, (unused, sizes) -> with(sizes, topic, size));
  }

  private static Map<String, Integer> with(Map<String, Integer> sizes, String topic, int size) {
    Map<String, Integer> changed = new HashMap<>(sizes);
    changed.put(topic, size);
    return changed.equals(sizes) ? sizes : Map.copyOf(changed);
  }

  /** The same map as long as nothing has changed; without the topics that nobody told of yet. */
  Map<String, Integer> get() {
    return OPEN.getOrDefault(id, Map.of());
  }

  @Override
  public void close() {
    OPEN.remove(id);
  }
}
