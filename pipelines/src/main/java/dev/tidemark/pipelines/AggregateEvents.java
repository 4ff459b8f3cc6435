package dev.tidemark.pipelines;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.ParseEvents;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.pipelines.files.DeadLetterSink;
import dev.tidemark.pipelines.files.NdjsonFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowedAggregation;
import java.util.Objects;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * From raw records to files, by one policy: results, events that came too late, and dead letters,
 * which go where they are told to and without such a place not at all: the pipeline cannot be
 * built. Apply it under the metric's name; several policies may share the records.
 */
public final class AggregateEvents extends PTransform<PCollection<RawRecord>, PDone> {
  private final Policy policy;
  private final String output;
  private final String run;
  private final PTransform<PCollection<DeadLetter>, PDone> deadLetters;
  private final boolean withAccumulators;

  private AggregateEvents(
      Policy policy,
      String output,
      String run,
      PTransform<PCollection<DeadLetter>, PDone> deadLetters,
      boolean withAccumulators) {
    this.policy = policy;
    this.output = output;
    this.run = run;
    this.deadLetters = Objects.requireNonNull(deadLetters, "dead letters need a destination");
    this.withAccumulators = withAccumulators;
  }

  /**
   * Aggregates by a policy and writes to a directory.
   *
   * @param run a name that no other run writing to the directory has
   * @param deadLetters where the policy's dead letters go, {@link DeadLetterSink} say
   */
  public static AggregateEvents of(
      Policy policy,
      String output,
      String run,
      PTransform<PCollection<DeadLetter>, PDone> deadLetters) {
    return new AggregateEvents(policy, output, run, deadLetters, false);
  }

  /** Whether results carry their accumulators; see {@link WindowedAggregation#withAccumulators}. */
  public AggregateEvents withAccumulators(boolean withAccumulators) {
    return new AggregateEvents(policy, output, run, deadLetters, withAccumulators);
  }

  @Override
  public PDone expand(PCollection<RawRecord> records) {
    ParseEvents.Output parsed = records.apply("Parse", ParseEvents.of(policy));
    WindowedAggregation.Output aggregated = parsed.events().apply("Aggregate", aggregation());
    aggregated.results().apply("Write results", results());
    aggregated.tooLate().apply("Write too-late events", tooLate());
    parsed.deadLetters().apply("Write dead letters", deadLetters);
    return PDone.in(records.getPipeline());
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
