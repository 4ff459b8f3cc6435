package dev.tidemark.pipelines.generate;

import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes sample events in the order in which they arrive. Each arrives a short random while after
 * it happened, so that they are out of order within bounds; every fiftieth or so is held up for
 * long; every hundredth is broken, each {@link Fault} in its turn.
 *
 * <p>The kind, the number, the seed and the start determine every byte: there is no wall clock, and
 * only arithmetic that Java specifies exactly.
 */
public final class EventGenerator {
  private static final Instant FIRST = Instant.parse("2026-07-04T10:00:00Z");
  private static final int STRAGGLER_ONE_IN = 50;
  private static final int BROKEN_EVERY = 100;

  private final EventKind kind;
  private final long seed;
  private final Instant start;

  private EventGenerator(EventKind kind, long seed, Instant start) {
    this.kind = kind;
    this.seed = seed;
    this.start = start;
  }

  public static EventGenerator of(EventKind kind, long seed) {
    return new EventGenerator(kind, seed, FIRST);
  }

  /** The first event happens soon after this instant, and not in July 2026. */
  public EventGenerator startingAt(Instant start) {
    return new EventGenerator(kind, seed, start);
  }

  /** Takes events in the order in which they arrive. */
  @FunctionalInterface
  public interface Arrivals {
    /** Takes the next one, which arrives at this instant. */
    void arrive(Instant at, String line) throws IOException;
  }

  /**
   * Writes that many events, one a line.
   *
   * @throws IOException if the writer does
   */
  public void write(long events, Writer out) throws IOException {
    generate(events, (at, line) -> out.append(line).append('\n'));
  }

  /**
   * Gives that many events.
   *
   * @throws IOException if the taker does
   */
  public void generate(long events, Arrivals arrivals) throws IOException {
    Random random = new Random(seed);
    PriorityQueue<Arrival> underWay = new PriorityQueue<>(Arrival.ORDER);
    Instant time = start;
    for (long number = 1; number <= events; number++) {
      time = time.plus(exponential(random, kind.spacing().getMillis()));
      while (!underWay.isEmpty() && !underWay.peek().at().isAfter(time)) {
        give(underWay.remove(), arrivals);
      }
      String line = kind.line(number, time, fault(number), random);
      underWay.add(new Arrival(time.plus(delay(random)), number, line));
    }
    while (!underWay.isEmpty()) {
      give(underWay.remove(), arrivals);
    }
  }

  private static void give(Arrival arrival, Arrivals arrivals) throws IOException {
    arrivals.arrive(arrival.at(), arrival.line());
  }

  private static @Nullable Fault fault(long number) {
    if (number % BROKEN_EVERY != 0) {
      return null;
    }
    Fault[] faults = Fault.values();
    return faults[(int) (number / BROKEN_EVERY % faults.length)];
  }

  private Duration delay(Random random) {
    long usual = 2 * kind.spacing().getMillis();
    boolean straggler = random.nextInt(STRAGGLER_ONE_IN) == 0;
    return straggler
        ? exponential(random, 150 * usual)
        : Duration.millis(Math.min(exponential(random, usual).getMillis(), 5 * usual));
  }

  private static Duration exponential(Random random, long meanMillis) {
    return Duration.millis((long) (-StrictMath.log(1 - random.nextDouble()) * meanMillis));
  }

  private record Arrival(Instant at, long number, String line) {
    static final Comparator<Arrival> ORDER =
        Comparator.comparing(Arrival::at).thenComparing(Arrival::number);
  }
}
