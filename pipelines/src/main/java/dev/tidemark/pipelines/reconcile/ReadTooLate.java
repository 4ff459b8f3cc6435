package dev.tidemark.pipelines.reconcile;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterCoder;
import dev.tidemark.dlq.RecordParser;
import dev.tidemark.event.JsonFields;
import dev.tidemark.event.RawRecord;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.TooLateEventCoder;
import dev.tidemark.transforms.reconcile.UnusableTrailException;
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
import org.joda.time.Instant;

/**
 * The too-late events of one policy, parsed anew from the lines of a too-late lane, which may have
 * those of other metrics too. A record that cannot be parsed any more leaves as a dead letter. The
 * pipeline fails with an {@link UnusableTrailException} at a line that is not one of such a lane,
 * or that another version of the policy made.
 */
final class ReadTooLate extends PTransform<PCollection<RawRecord>, ReadTooLate.Output> {
  private static final TupleTag<TooLateEvent> EVENTS = new TupleTag<>("events") {};
  private static final TupleTag<DeadLetter> DEAD_LETTERS = new TupleTag<>("deadLetters") {};

  private final Policy policy;

  private ReadTooLate(Policy policy) {
    this.policy = policy;
  }

  static ReadTooLate of(Policy policy) {
    return new ReadTooLate(policy);
  }

  @Override
  public Output expand(PCollection<RawRecord> lines) {
    PCollectionTuple read =
        lines.apply(
            "Read each line",
            ParDo.of(new ReadFn(policy)).withOutputTags(EVENTS, TupleTagList.of(DEAD_LETTERS)));
    return new Output(
        read.get(EVENTS).setCoder(TooLateEventCoder.of()),
        read.get(DEAD_LETTERS).setCoder(DeadLetterCoder.of()));
  }

  /** A too-late line: the record as it came, its time and the window that it missed. */
  private record Line(String metric, RawRecord raw, Instant eventTime, ResultWindow window) {}

  static final class ReadFn extends DoFn<RawRecord, TooLateEvent> {
    private final Policy policy;
    private final Counter tooLate = Metrics.counter("tidemark", "tooLate");
    private final Counter deadLetters = Metrics.counter("tidemark", "deadLetters");
    private transient RecordParser parser;
    private transient Instant eventTime;

    ReadFn(Policy policy) {
      this.policy = policy;
    }

    /** The event's time stands for that of its processing, as when it was first parsed. */
    @Setup
    public void setUp() {
      parser = RecordParser.of(policy).withWallClock(() -> eventTime);
    }

    @ProcessElement
    public void process(@Element RawRecord record, MultiOutputReceiver out) {
      Line line = LineText.read(record, this::read);
      if (!line.metric().equals(policy.metric())) {
        return;
      }
      tooLate.inc();
      eventTime = line.eventTime();
      RecordParser.Outcome outcome = parser.parse(line.raw());
      if (outcome instanceof RecordParser.Parsed parsed) {
        out.get(EVENTS).output(new TooLateEvent(parsed.event(), line.window()));
      } else if (outcome instanceof RecordParser.Rejected rejected) {
        deadLetters.inc();
        Metrics.counter("tidemark", "deadLetters." + rejected.deadLetter().reason()).inc();
        out.get(DEAD_LETTERS).output(rejected.deadLetter());
      }
    }

    private Line read(String text) {
      JsonFields fields = JsonFields.of(text);
      String metric = fields.text("metric");
      String version = fields.text("policyVersion");
      if (metric.equals(policy.metric()) && !version.equals(policy.version())) {
        throw new IllegalArgumentException(
            "policyVersion is " + version + ", but the policy's is " + policy.version());
      }
      Instant start = fields.instant("windowStart");
      Instant end = fields.instant("windowEnd");
      RawRecord raw =
          new RawRecord(fields.raw("event"), fields.origin(), fields.instant("arrivedAt"));
      return new Line(metric, raw, fields.instant("eventTime"), new ResultWindow(start, end));
    }
  }

  /** Too-late events, each however often its line comes, and dead letters. */
  record Output(PCollection<TooLateEvent> events, PCollection<DeadLetter> deadLetters)
      implements POutput {
    @Override
    public Pipeline getPipeline() {
      return events.getPipeline();
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
