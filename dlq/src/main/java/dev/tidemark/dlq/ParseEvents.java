package dev.tidemark.dlq;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.joda.time.Duration;

/**
 * Parses raw records for one policy; what cannot be used leaves by the dead-letter output. Each
 * record ends in exactly one of the two. Events are stamped with the time that the policy's clock
 * reads; dead letters keep the timestamp that the source gave.
 *
 * <p>Counts them, see {@link ParseCounters}.
 */
public final class ParseEvents extends PTransform<PCollection<RawRecord>, ParseEvents.Output> {
  private final Policy policy;
  private final WallClock wallClock;

  private ParseEvents(Policy policy, WallClock wallClock) {
    this.policy = policy;
    this.wallClock = wallClock;
  }

  /** Parses by the policy, with the machine's own clock. */
  public static ParseEvents of(Policy policy) {
    return new ParseEvents(policy, WallClock.SYSTEM);
  }

  /** The clock of the future guard and of processing time; the machine's own by default. */
  public ParseEvents withWallClock(WallClock clock) {
    return new ParseEvents(policy, clock);
  }

  @Override
  public Output expand(PCollection<RawRecord> records) {
    PCollectionTuple parsed =
        records.apply(
            "Parse each record",
            ParDo.of(new ParseFn(policy, wallClock))
                .withOutputTags(Output.EVENTS, TupleTagList.of(Output.DEAD_LETTERS)));
    return new Output(
        records.getPipeline(),
        parsed.get(Output.EVENTS).setCoder(EventCoder.of()),
        parsed.get(Output.DEAD_LETTERS).setCoder(DeadLetterCoder.of()));
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

  static final class ParseFn extends DoFn<RawRecord, Event> {
    private final ParseCounters counters = new ParseCounters();
    private final Policy policy;
    private final WallClock wallClock;
    private transient RecordParser parser;

    ParseFn(Policy policy, WallClock wallClock) {
      this.policy = policy;
      this.wallClock = wallClock;
    }

    @Setup
    public void setUp() {
      parser = RecordParser.of(policy).withWallClock(wallClock);
    }

    @ProcessElement
    public void parse(@Element RawRecord raw, MultiOutputReceiver out) {
      RecordParser.Outcome outcome = parser.parse(raw);
      if (outcome instanceof RecordParser.Parsed parsed) {
        Event event = parsed.event();
        counters.countEvents(1);
        out.get(Output.EVENTS).outputWithTimestamp(event, event.timestamp());
      } else if (outcome instanceof RecordParser.Rejected rejected) {
        counters.countDeadLetter(rejected.deadLetter());
        out.get(Output.DEAD_LETTERS).output(rejected.deadLetter());
      }
    }

    /**
     * Without end: an event may be older than its element, which a source stamps with its arrival
     * say. What that makes late is for the windows to judge, not for the parser to fail on.
     */
    @Override
    @SuppressWarnings("deprecation") // Beam offers nothing else to move a timestamp back with
    public Duration getAllowedTimestampSkew() {
      return Duration.millis(Long.MAX_VALUE);
    }
  }
}
