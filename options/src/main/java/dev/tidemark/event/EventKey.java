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
    Scalar[] canonical = new Scalar[values.size()]; // no stream: there is a key for each event
    for (int i = 0; i < canonical.length; i++) {
      canonical[i] = values.get(i).canonical();
    }
    values = List.of(canonical);
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
