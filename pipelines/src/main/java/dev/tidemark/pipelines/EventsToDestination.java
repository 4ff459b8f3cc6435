package dev.tidemark.pipelines;

import dev.tidemark.event.Event;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.WindowedAggregation;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;

/** From parsed events to a destination, by one policy: results, and events that came too late. */
public final class EventsToDestination extends PTransform<PCollection<Event>, PDone> {
  private final Policy policy;
  private final Destination destination;
  private final boolean withAccumulators;

  private EventsToDestination(Policy policy, Destination destination, boolean withAccumulators) {
    this.policy = policy;
    this.destination = destination;
    this.withAccumulators = withAccumulators;
  }

  /** Aggregates by a policy and writes to every outlet that the destination has for it. */
  public static EventsToDestination of(Policy policy, Destination destination) {
    return new EventsToDestination(policy, destination, false);
  }

  /** Whether results carry their accumulators; see {@link WindowedAggregation#withAccumulators}. */
  public EventsToDestination withAccumulators(boolean withAccumulators) {
    return new EventsToDestination(policy, destination, withAccumulators);
  }

  @Override
  public PDone expand(PCollection<Event> events) {
    WindowedAggregation.Output aggregated = events.apply("Aggregate", aggregation());
    destination
        .results(policy)
        .forEach(outlet -> aggregated.results().apply(outlet.step(), outlet.write()));
    destination
        .tooLate(policy)
        .forEach(outlet -> aggregated.tooLate().apply(outlet.step(), outlet.write()));
    return PDone.in(events.getPipeline());
  }

  private WindowedAggregation aggregation() {
    WindowedAggregation aggregation =
        WindowedAggregation.of(policy).withWallClock(WallClock.SYSTEM);
    return withAccumulators ? aggregation.withAccumulators() : aggregation;
  }
}
