package dev.tidemark.pipelines;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.WindowedAggregation;
import java.util.List;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PDone;

/**
 * From batches of raw records to a destination, by one policy: results, events that came too late,
 * and dead letters, among them the results that a place refused. A pipeline that has no place for
 * one of them cannot be built. Apply it under the metric's name; several policies may share the
 * records.
 */
public final class AggregateEvents extends PTransform<PCollection<List<RawRecord>>, PDone> {
  private final Policy policy;
  private final Destination destination;
  private final boolean withAccumulators;
  private final boolean isGuarded;

  private AggregateEvents(
      Policy policy, Destination destination, boolean withAccumulators, boolean isGuarded) {
    this.policy = policy;
    this.destination = destination;
    this.withAccumulators = withAccumulators;
    this.isGuarded = isGuarded;
  }

  /**
   * Aggregates by a policy and writes to every outlet that the destination has for it.
   *
   * @throws IllegalArgumentException if something would go nowhere; see {@link
   *     Destinations#missing}
   */
  public static AggregateEvents of(Policy policy, Destination destination) {
    List<String> missing = Destinations.of(List.of(destination)).missing(List.of(policy));
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", missing));
    }
    return new AggregateEvents(policy, destination, false, true);
  }

  /** Whether results carry their accumulators; see {@link WindowedAggregation#withAccumulators}. */
  public AggregateEvents withAccumulators(boolean withAccumulators) {
    return new AggregateEvents(policy, destination, withAccumulators, isGuarded);
  }

  /**
   * Whether the watermark of the records cannot pass the wall clock, which most events then need no
   * judgement for; see {@link WindowedAggregation#withWallClock}. It cannot, if nothing is said.
   */
  public AggregateEvents withGuardedWatermark(boolean isGuarded) {
    return new AggregateEvents(policy, destination, withAccumulators, isGuarded);
  }

  @Override
  public PDone expand(PCollection<List<RawRecord>> records) {
    WallClock clock = isGuarded ? WallClock.SYSTEM : null;
    ParseAndCombine.Output parsed = records.apply("Parse", ParseAndCombine.of(policy, clock));
    WindowedAggregation.Output aggregated =
        parsed.events().apply("Aggregate", aggregation().ofBundles());
    List<PCollection<DeadLetter>> refused =
        Outlet.writeAll(aggregated.results(), destination.results(policy));
    if (records.isBounded() == IsBounded.UNBOUNDED) { // else nothing is late: no step to start
      Outlet.writeAll(aggregated.tooLate(), destination.tooLate(policy));
    }
    Outlet.writeAll(with(refused, parsed.deadLetters()), destination.deadLetters(policy));
    return PDone.in(records.getPipeline());
  }

  /** Without a place that may refuse, the pipeline has no step for it. */
  private static PCollection<DeadLetter> with(
      List<PCollection<DeadLetter>> refused, PCollection<DeadLetter> deadLetters) {
    return refused.isEmpty()
        ? deadLetters
        : PCollectionList.of(deadLetters)
            .and(refused)
            .apply("With refused results", Flatten.pCollections());
  }

  private WindowedAggregation aggregation() {
    WindowedAggregation aggregation = WindowedAggregation.of(policy);
    if (isGuarded) {
      aggregation = aggregation.withWallClock(WallClock.SYSTEM);
    }
    return withAccumulators ? aggregation.withAccumulators() : aggregation;
  }
}
