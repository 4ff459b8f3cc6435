package dev.tidemark.pipelines;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.ParseEvents;
import dev.tidemark.event.RawRecord;
import dev.tidemark.pipelines.files.DeadLetterSink;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.WindowedAggregation;
import java.util.Objects;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;

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
    parsed
        .events()
        .apply(
            "Aggregate", EventsToFiles.of(policy, output, run).withAccumulators(withAccumulators));
    parsed.deadLetters().apply("Write dead letters", deadLetters);
    return PDone.in(records.getPipeline());
  }
}
