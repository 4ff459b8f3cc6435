package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.transforms.AggregateValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.CoderUtils;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Aggregates and events, and the ways that a runner may combine them. */
final class Samples {
  static final Pointer FIELD = new Pointer("/v");

  static final List<Aggregate> ONE_OF_EACH =
      List.of(
          new Aggregate.Count(),
          new Aggregate.Elapsed(),
          new Aggregate.Sum(FIELD),
          new Aggregate.Min(FIELD),
          new Aggregate.Max(FIELD),
          new Aggregate.Mean(FIELD),
          new Aggregate.Distinct(FIELD, false),
          new Aggregate.Distinct(FIELD, true),
          new Aggregate.Quantile(FIELD, 0.5),
          new Aggregate.Top(FIELD, 3),
          new Aggregate.First(FIELD),
          new Aggregate.Last(FIELD));

  private static final RawRecord RAW =
      new RawRecord(new byte[0], new Origin.FileLine("f", 0, 1L), Instant.ofEpochMilli(0));

  private Samples() {}

  static Scalar num(String decimal) {
    return new Scalar.Num(new BigDecimal(decimal));
  }

  static AggregateValue single(String decimal) {
    return new AggregateValue.Single(num(decimal));
  }

  /** An event whose every aggregate reads the one value. */
  static Event event(long millis, Scalar value) {
    return new Event(
        new EventKey(List.of()),
        Instant.ofEpochMilli(millis),
        Collections.nCopies(ONE_OF_EACH.size(), value),
        RAW);
  }

  /** One event for each whole number from 0. */
  static List<Event> wholeNumbers(int count) {
    return LongStream.range(0, count)
        .mapToObj(i -> event(i, new Scalar.Num(BigDecimal.valueOf(i))))
        .toList();
  }

  static @Nullable AggregateValue valueOf(Accumulators accumulators) {
    return accumulators.values().get(0);
  }

  /** Combines in order, into one accumulator. */
  static Accumulators inOrder(Aggregate aggregate, List<Event> events) {
    Accumulators all = Accumulators.empty(List.of(aggregate));
    events.forEach(all::add);
    return all;
  }

  /** Combines in a random order and grouping, with every so often a shuffle in between. */
  static Accumulators inAnyWay(Aggregate aggregate, List<Event> events, Random random) {
    AggregateFn fn = AggregateFn.of(List.of(aggregate));
    List<Accumulators> parts = new ArrayList<>();
    for (Event event : events) {
      parts.add(Accumulators.of(List.of(aggregate), event));
    }
    parts.add(fn.createAccumulator());
    Collections.shuffle(parts, random);
    while (parts.size() > 1) {
      Accumulators left = maybeShuffled(aggregate, removeRandom(parts, random), random);
      Accumulators right = maybeShuffled(aggregate, removeRandom(parts, random), random);
      parts.add(
          random.nextBoolean()
              ? fn.mergeAccumulators(List.of(left, right))
              : fn.addInput(left, right));
    }
    return fn.extractOutput(parts.get(0));
  }

  private static Accumulators removeRandom(List<Accumulators> parts, Random random) {
    Collections.swap(parts, random.nextInt(parts.size()), parts.size() - 1);
    return parts.remove(parts.size() - 1);
  }

  private static Accumulators maybeShuffled(
      Aggregate aggregate, Accumulators accumulators, Random random) {
    return random.nextInt(4) == 0
        ? decode(aggregate, encode(aggregate, accumulators))
        : accumulators;
  }

  static String encode(Aggregate aggregate, Accumulators accumulators) {
    try {
      return CoderUtils.encodeToBase64(AccumulatorsCoder.of(List.of(aggregate)), accumulators);
    } catch (CoderException e) {
      throw new AssertionError(e);
    }
  }

  static Accumulators decode(Aggregate aggregate, String base64) {
    try {
      return CoderUtils.decodeFromBase64(AccumulatorsCoder.of(List.of(aggregate)), base64);
    } catch (CoderException e) {
      throw new AssertionError(e);
    }
  }
}
