package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Event;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.VarInt;
import org.jspecify.annotations.Nullable;

/**
 * What all aggregates of a policy keep of the events of one key and window: the unit that is
 * shuffled, merged and read for a result. Its values are the same for any order and grouping of the
 * events, save those of a quantile sketch.
 *
 * <p>Whoever created an instance may {@link #add} and {@link #merge} into it until it is emitted;
 * from then on it is an element like any other and must not change.
 */
public final class Accumulators {
  private final List<Accumulator> accumulators;
  private long events;

  private Accumulators(List<Accumulator> accumulators) {
    this.accumulators = accumulators;
  }

  /** Of no events. */
  public static Accumulators empty(List<Aggregate> aggregates) {
    List<Accumulator> empty = new ArrayList<>(aggregates.size());
    for (Aggregate aggregate : aggregates) {
      empty.add(Accumulator.empty(aggregate));
    }
    return new Accumulators(empty);
  }

  /**
   * Of one event.
   *
   * @param aggregates the policy's, in its order, as the event's values are
   */
  public static Accumulators of(List<Aggregate> aggregates, Event event) {
    Accumulators one = empty(aggregates);
    one.add(event);
    return one;
  }

  /**
   * Of the events that gave these values; only where {@link #isInValue} for each aggregate.
   *
   * @param values one for each aggregate, in their order
   * @throws IllegalArgumentException if a value is none of its aggregate
   */
  public static Accumulators ofValues(
      List<Aggregate> aggregates, List<@Nullable AggregateValue> values) {
    Accumulators restored = empty(aggregates);
    for (int i = 0; i < aggregates.size(); i++) {
      AggregateValue value = values.get(i);
      if (value instanceof AggregateValue.Single single) {
        addValue(restored.accumulators.get(i), single.scalar());
      } else if (value != null) {
        throw new IllegalArgumentException("a list is no value of this aggregate");
      }
    }
    return restored;
  }

  private static void addValue(Accumulator accumulator, Scalar value) {
    try {
      accumulator.addValue(value);
    } catch (ClassCastException | ArithmeticException e) {
      throw new IllegalArgumentException(value + " is no value of this aggregate", e);
    }
  }

  /** Whether the aggregate keeps no more of the events than its value tells. */
  public static boolean isInValue(Aggregate aggregate) {
    return aggregate instanceof Aggregate.Count
        || aggregate instanceof Aggregate.Sum
        || aggregate instanceof Aggregate.Min
        || aggregate instanceof Aggregate.Max;
  }

  /** Takes in one event. */
  public void add(Event event) {
    events++;
    for (int i = 0; i < accumulators.size(); i++) {
      accumulators.get(i).add(event.values().get(i), event.timestamp());
    }
  }

  /**
   * Takes in all that {@code other} has seen, and leaves it as it is.
   *
   * @param other of the same aggregates, or of the first of them only
   */
  public void merge(Accumulators other) {
    events += other.events;
    for (int i = 0; i < other.accumulators.size(); i++) {
      accumulators.get(i).merge(other.accumulators.get(i));
    }
  }

  /** How many events were taken in. */
  public long events() {
    return events;
  }

  /** The value of each aggregate, in the policy's order; null where the events gave none. */
  public List<@Nullable AggregateValue> values() {
    List<@Nullable AggregateValue> values = new ArrayList<>(accumulators.size());
    for (Accumulator accumulator : accumulators) {
      values.add(accumulator.value());
    }
    return Collections.unmodifiableList(values);
  }

  /** Of how many aggregates: fewer than the policy has, where they come from before a change. */
  int size() {
    return accumulators.size();
  }

  void writeTo(OutputStream out) throws IOException {
    VarInt.encode(events, out);
    VarInt.encode(accumulators.size(), out);
    for (Accumulator accumulator : accumulators) {
      accumulator.writeTo(out);
    }
  }

  /** Those that {@link #writeTo} wrote, of these aggregates or of the first of them only. */
  static Accumulators readFrom(List<Aggregate> aggregates, InputStream in) throws IOException {
    long events = VarInt.decodeLong(in);
    int size = VarInt.decodeInt(in);
    if (size > aggregates.size()) {
      throw new CoderException(
          size + " accumulators, of only " + aggregates.size() + " aggregates");
    }
    Accumulators read = empty(aggregates.subList(0, size));
    read.events = events;
    for (Accumulator accumulator : read.accumulators) {
      accumulator.readFrom(in);
    }
    return read;
  }
}
