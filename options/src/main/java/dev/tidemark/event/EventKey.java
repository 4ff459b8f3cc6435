package dev.tidemark.event;

import java.io.Serializable;
import java.util.List;

/**
 * The key of an event: one canonical scalar for each key field of the policy, in its order.
 *
 * @param values never null inside; empty where the policy names no key field
 */
public record EventKey(List<Scalar> values) implements Serializable, Comparable<EventKey> {

  public EventKey {
    values = values.stream().map(Scalar::canonical).toList();
  }

  @Override
  public int compareTo(EventKey other) {
    for (int i = 0; i < Math.min(values.size(), other.values.size()); i++) {
      int compared = values.get(i).compareTo(other.values.get(i));
      if (compared != 0) {
        return compared;
      }
    }
    return Integer.compare(values.size(), other.values.size());
  }
}
