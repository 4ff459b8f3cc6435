package dev.tidemark.policy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The contract of one metric: where its windows lie, by which clock, when they fire, how long they
 * wait for late events, and what they compute. Immutable; read it with {@code PolicyLoader}.
 *
 * @param metric the metric's name, {@code [a-z0-9-]+}
 * @param version stamped on each result
 * @param format how a record's bytes are read
 * @param clock which time events are windowed by
 * @param timestamp the field that holds that time; null where the clock reads none
 * @param key the fields that make the key, by name and in order; empty for one key over all events
 * @param windowing the shape of the windows
 * @param trigger when windows fire besides at their end
 * @param allowedLateness how long after its end a window still takes events
 * @param accumulation how the panes of a window relate
 * @param tooLate what becomes of an event that missed its window
 * @param aggregates what each field of the value is computed by, by name and in order
 * @param watermark how far event time may lag, idle and lead
 */
public record Policy(
    String metric,
    String version,
    Format format,
    Clock clock,
    @Nullable Pointer timestamp,
    Map<String, Pointer> key,
    Windowing windowing,
    Trigger trigger,
    Duration allowedLateness,
    Accumulation accumulation,
    TooLate tooLate,
    Map<String, Aggregate> aggregates,
    Watermark watermark)
    implements Serializable {

  public Policy {
    key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
    aggregates = Collections.unmodifiableMap(new LinkedHashMap<>(aggregates));
  }

  /** The aggregates without their names. */
  public List<Aggregate> aggregateList() {
    return List.copyOf(aggregates.values());
  }

  /** All that the policy reads of a record. */
  public List<Pointer> pointers() {
    List<Pointer> pointers = new ArrayList<>(key.values());
    if (timestamp != null) {
      pointers.add(timestamp);
    }
    for (Aggregate aggregate : aggregates.values()) {
      if (aggregate.of() != null) {
        pointers.add(aggregate.of());
      }
    }
    return pointers;
  }
}
