package dev.tidemark.dlq;

import dev.tidemark.event.Event;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;

/** Parses raw records for one policy; what cannot be used leaves by the dead-letter output. */
public final class ParseEvents extends PTransform<PCollection<RawRecord>, ParseEvents.Output> {
  private final Policy policy;

  private ParseEvents(Policy policy) {
    this.policy = policy;
  }

  public static ParseEvents of(Policy policy) {
    return new ParseEvents(policy);
  }

  /** The clock of the future guard and of processing time; the machine's own by default. */
  public ParseEvents withWallClock(WallClock clock) {
    return this;
  }

  @Override
  public Output expand(PCollection<RawRecord> records) {
    throw new UnsupportedOperationException(policy.metric());
  }

  /** Events, stamped with their time, and dead letters. */
  public record Output(
      Pipeline pipeline, PCollection<Event> events, PCollection<DeadLetter> deadLetters)
      implements POutput {
    static final TupleTag<Event> EVENTS = new TupleTag<>("events") {};
    static final TupleTag<DeadLetter> DEAD_LETTERS = new TupleTag<>("deadLetters") {};

    @Override
    public Pipeline getPipeline() {
      return pipeline;
    }

    @Override
    public Map<TupleTag<?>, PValue> expand() {
      return Map.of(EVENTS, events, DEAD_LETTERS, deadLetters);
    }

    @Override
    public void finishSpecifyingOutput(
        String transformName, PInput input, PTransform<?, ?> transform) {}
  }
}
