package dev.tidemark.pipelines;

import dev.tidemark.event.Event;
import dev.tidemark.event.WallClock;
import dev.tidemark.pipelines.files.NdjsonFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowedAggregation;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** From parsed events to files, by one policy: results, and events that came too late. */
public final class EventsToFiles extends PTransform<PCollection<Event>, PDone> {
  private final Policy policy;
  private final String output;
  private final String run;
  private final boolean withAccumulators;

  private EventsToFiles(Policy policy, String output, String run, boolean withAccumulators) {
    this.policy = policy;
    this.output = output;
    this.run = run;
    this.withAccumulators = withAccumulators;
  }

  /**
   * Aggregates by a policy and writes to a directory.
   *
   * @param run a name that no other run writing to the directory has
   */
  public static EventsToFiles of(Policy policy, String output, String run) {
    return new EventsToFiles(policy, output, run, false);
  }

  /** Whether results carry their accumulators; see {@link WindowedAggregation#withAccumulators}. */
  public EventsToFiles withAccumulators(boolean withAccumulators) {
    return new EventsToFiles(policy, output, run, withAccumulators);
  }

  @Override
  public PDone expand(PCollection<Event> events) {
    WindowedAggregation.Output aggregated = events.apply("Aggregate", aggregation());
    aggregated.results().apply("Write results", results());
    aggregated.tooLate().apply("Write too-late events", tooLate());
    return PDone.in(events.getPipeline());
  }

  private WindowedAggregation aggregation() {
    WindowedAggregation aggregation =
        WindowedAggregation.of(policy).withWallClock(WallClock.SYSTEM);
    return withAccumulators ? aggregation.withAccumulators() : aggregation;
  }

  private NdjsonFiles<WindowResult> results() {
    Policy shown = policy;
    return files(
        OutputDirectory.RESULTS,
        result -> result.window() == null ? null : result.window().start(),
        result -> ResultJson.line(shown, result));
  }

  private NdjsonFiles<TooLateEvent> tooLate() {
    Policy shown = policy;
    return files(
        OutputDirectory.TOO_LATE,
        late -> late.event().raw().arrivedAt(),
        late -> ResultJson.line(shown, late));
  }

  private <T> NdjsonFiles<T> files(
      String lane,
      SerializableFunction<T, @Nullable Instant> time,
      SerializableFunction<T, String> line) {
    return NdjsonFiles.of(output, lane, policy.metric() + "-" + run, time, line);
  }
}
