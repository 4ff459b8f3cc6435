package dev.tidemark.testkit;

import dev.tidemark.event.Event;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the aggregates of a policy make of a list of events, computed from the whole list each time.
 *
 * <p>A value is a {@code BigDecimal} without trailing zeros, a {@code String}, a {@code Boolean}, a
 * list of {@link Counted}, or null where there is none, so that equal values are equal objects.
 * Both kinds of {@code distinct} are counted exactly. A {@code quantile} is always null: its sketch
 * has no exact value to compare with.
 */
public final class ReferenceValues {
  private ReferenceValues() {}

  /** A value and how often it came. */
  public record Counted(Object value, long count) {}

  /** For each aggregate of the policy, in its order, its value. */
  public static List<@Nullable Object> of(Policy policy, List<Event> events) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Aggregate aggregate : policy.aggregates().values()) {
      values.add(value(aggregate, values.size(), events));
    }
    return Collections.unmodifiableList(values);
  }

  /** A scalar as the object that stands for it in a value. */
  public static Object plain(Scalar scalar) {
    Scalar canonical = scalar.canonical();
    if (canonical instanceof Scalar.Num num) {
      return num.value();
    }
    if (canonical instanceof Scalar.Bool bool) {
      return bool.value();
    }
    return ((Scalar.Text) canonical).value();
  }

  private static @Nullable Object value(Aggregate aggregate, int index, List<Event> events) {
    if (aggregate instanceof Aggregate.Count) {
      return number(BigDecimal.valueOf(events.size()));
    }
    if (aggregate instanceof Aggregate.Elapsed) {
      return elapsed(events);
    }
    if (aggregate instanceof Aggregate.Sum) {
      return number(sum(numbers(events, index)));
    }
    if (aggregate instanceof Aggregate.Min) {
      return numbers(events, index).stream()
          .min(Comparator.naturalOrder())
          .map(ReferenceValues::number)
          .orElse(null);
    }
    if (aggregate instanceof Aggregate.Max) {
      return numbers(events, index).stream()
          .max(Comparator.naturalOrder())
          .map(ReferenceValues::number)
          .orElse(null);
    }
    if (aggregate instanceof Aggregate.Mean) {
      return mean(numbers(events, index));
    }
    if (aggregate instanceof Aggregate.Distinct) {
      return number(BigDecimal.valueOf(scalars(events, index).distinct().count()));
    }
    if (aggregate instanceof Aggregate.Top top) {
      return top(scalars(events, index).toList(), top.n());
    }
    if (aggregate instanceof Aggregate.First) {
      return events.stream()
          .min(byTimeThenValue(index))
          .map(e -> plain(scalar(e, index)))
          .orElse(null);
    }
    if (aggregate instanceof Aggregate.Last) {
      return events.stream()
          .max(byTimeThenValue(index))
          .map(e -> plain(scalar(e, index)))
          .orElse(null);
    }
    return null;
  }

  private static @Nullable Object elapsed(List<Event> events) {
    List<Instant> times = events.stream().map(Event::timestamp).sorted().toList();
    return times.isEmpty()
        ? null
        : number(
            BigDecimal.valueOf(times.get(times.size() - 1).getMillis() - times.get(0).getMillis()));
  }

  private static @Nullable Object mean(List<BigDecimal> numbers) {
    return numbers.isEmpty()
        ? null
        : number(sum(numbers).divide(BigDecimal.valueOf(numbers.size()), MathContext.DECIMAL128));
  }

  private static List<Counted> top(List<Scalar> scalars, int n) {
    TreeMap<Scalar, Long> counts = new TreeMap<>();
    scalars.forEach(scalar -> counts.merge(scalar, 1L, Long::sum));
    // The sort is stable: of equal counts the smaller value stays first.
    return counts.entrySet().stream()
        .sorted(Comparator.comparing(entry -> -entry.getValue()))
        .limit(n)
        .map(entry -> new Counted(plain(entry.getKey()), entry.getValue()))
        .toList();
  }

  private static BigDecimal sum(List<BigDecimal> numbers) {
    return numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static Comparator<Event> byTimeThenValue(int index) {
    return Comparator.comparing(Event::timestamp).thenComparing(event -> scalar(event, index));
  }

  private static List<BigDecimal> numbers(List<Event> events, int index) {
    return scalars(events, index).map(scalar -> ((Scalar.Num) scalar).value()).toList();
  }

  private static Stream<Scalar> scalars(List<Event> events, int index) {
    return events.stream().map(event -> scalar(event, index));
  }

  private static Scalar scalar(Event event, int index) {
    return Objects.requireNonNull(event.values().get(index)).canonical();
  }

  private static Object number(BigDecimal number) {
    return plain(new Scalar.Num(number));
  }
}
