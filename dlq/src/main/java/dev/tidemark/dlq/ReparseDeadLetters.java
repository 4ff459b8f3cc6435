package dev.tidemark.dlq;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.policy.Policy;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
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
 * Parses the records of dead letters again, by a policy that may have changed since. Each ends in
 * exactly one of three outputs: an event, stamped with its time; a dead letter with one attempt
 * more; or, once it has failed too often, a severe one. Use {@link ParseEvents} for records that
 * have not been parsed yet.
 *
 * <p>Counts under the namespace {@code tidemark}: {@code read}, {@code events}, {@code deadLetters}
 * with {@code deadLetters.REASON}, all that failed, and {@code severe}, those of them that failed
 * too often.
 */
public final class ReparseDeadLetters
    extends PTransform<PCollection<DeadLetter>, ReparseDeadLetters.Output> {
  private final Policy policy;
  private final int maxAttempts;

  private ReparseDeadLetters(Policy policy, int maxAttempts) {
    this.policy = policy;
    this.maxAttempts = maxAttempts;
  }

  /**
   * Parses by the policy.
   *
   * @param maxAttempts how often a record may fail before it is severe, from 1
   */
  public static ReparseDeadLetters of(Policy policy, int maxAttempts) {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts is " + maxAttempts + "; allowed: 1 or more");
    }
    return new ReparseDeadLetters(policy, maxAttempts);
  }

  @Override
  public Output expand(PCollection<DeadLetter> deadLetters) {
    PCollectionTuple parsed =
        deadLetters.apply(
            "Parse each record",
            ParDo.of(new ReparseFn(policy, maxAttempts))
                .withOutputTags(
                    Output.EVENTS, TupleTagList.of(Output.DEAD_LETTERS).and(Output.SEVERE)));
    return new Output(
        parsed.get(Output.EVENTS).setCoder(EventCoder.of()),
        parsed.get(Output.DEAD_LETTERS).setCoder(DeadLetterCoder.of()),
        parsed.get(Output.SEVERE).setCoder(DeadLetterCoder.of()));
  }

  /**
   * The three outputs.
   *
   * @param severe dead letters that have failed too often
   */
  public record Output(
      PCollection<Event> events,
      PCollection<DeadLetter> deadLetters,
      PCollection<DeadLetter> severe)
      implements POutput {
    private static final TupleTag<Event> EVENTS = new TupleTag<>("events") {};
    private static final TupleTag<DeadLetter> DEAD_LETTERS = new TupleTag<>("deadLetters") {};
    private static final TupleTag<DeadLetter> SEVERE = new TupleTag<>("severe") {};

    @Override
    public Pipeline getPipeline() {
      return events.getPipeline();
    }

    @Override
    public Map<TupleTag<?>, PValue> expand() {
      return Map.of(EVENTS, events, DEAD_LETTERS, deadLetters, SEVERE, severe);
    }

    @Override
    public void finishSpecifyingOutput(
        String transformName, PInput input, PTransform<?, ?> transform) {}
  }

  static final class ReparseFn extends DoFn<DeadLetter, Event> {
    private final Policy policy;
    private final int maxAttempts;
    private final ParseCounters counters = new ParseCounters();
    private final Counter severe = Metrics.counter("tidemark", "severe");
    private transient RecordParser parser;

    ReparseFn(Policy policy, int maxAttempts) {
      this.policy = policy;
      this.maxAttempts = maxAttempts;
    }

    @Setup
    public void setUp() {
      parser = RecordParser.of(policy);
    }

    @ProcessElement
    public void parse(@Element DeadLetter before, MultiOutputReceiver out) {
      RecordParser.Outcome outcome = parser.parse(before.raw());
      if (outcome instanceof RecordParser.Parsed parsed) {
        Event event = parsed.event();
        counters.countEvents(1);
        out.get(Output.EVENTS).outputWithTimestamp(event, event.timestamp());
      } else if (outcome instanceof RecordParser.Rejected rejected) {
        counters.countDeadLetter(rejected.deadLetter());
        fail(rejected.deadLetter().after(before), out);
      }
    }

    private void fail(DeadLetter deadLetter, MultiOutputReceiver out) {
      if (deadLetter.attempts() > maxAttempts) {
        severe.inc();
        out.get(Output.SEVERE).output(deadLetter);
      } else {
        out.get(Output.DEAD_LETTERS).output(deadLetter);
      }
    }

    /** Without end, as in {@link ParseEvents}: lateness is for the windows to judge. */
    @Override
    @SuppressWarnings("deprecation") // Beam offers nothing else to move a timestamp back with
    public Duration getAllowedTimestampSkew() {
      return Duration.millis(Long.MAX_VALUE);
    }
  }
}
