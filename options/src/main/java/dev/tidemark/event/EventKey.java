package dev.tidemark.event;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Written out, as a record's own takes several times as long, and each event is looked up. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EventKey that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
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
