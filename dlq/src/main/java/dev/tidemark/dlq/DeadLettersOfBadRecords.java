package dev.tidemark.dlq;

import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import java.nio.charset.StandardCharsets;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;

/**
 * Sends what Beam's own sources and sinks fail on to where the other dead letters go, as reason
 * {@link Reason#IO_FAILURE}. It is the sink of Beam's error handlers:
 *
 * <pre>{@code
 * try (BadRecordErrorHandler<PDone> handler =
 *     pipeline.registerBadRecordErrorHandler(DeadLettersOfBadRecords.of(policy, deadLetters))) {
 *   pipeline.apply(KafkaIO.readBytes()….withBadRecordErrorHandler(handler));
 * }
 * }</pre>
 *
 * <p>The raw bytes are the record as the failing step's coder encodes it; without a coder, the text
 * that Beam shows of it. So they need not be what a policy can parse.
 *
 * <p>Counts under the namespace {@code tidemark}: {@code deadLetters} and {@code
 * deadLetters.IO_FAILURE}.
 */
public final class DeadLettersOfBadRecords extends PTransform<PCollection<BadRecord>, PDone> {
  private final Policy policy;
  private final PTransform<PCollection<DeadLetter>, PDone> deadLetters;
  private final WallClock wallClock;

  private DeadLettersOfBadRecords(
      Policy policy, PTransform<PCollection<DeadLetter>, PDone> deadLetters, WallClock wallClock) {
    this.policy = policy;
    this.deadLetters = deadLetters;
    this.wallClock = wallClock;
  }

  /**
   * For the records of one policy.
   *
   * @param deadLetters where they go
   */
  public static DeadLettersOfBadRecords of(
      Policy policy, PTransform<PCollection<DeadLetter>, PDone> deadLetters) {
    return new DeadLettersOfBadRecords(policy, deadLetters, WallClock.SYSTEM);
  }

  /** The clock that says when a record arrived here; the machine's own by default. */
  public DeadLettersOfBadRecords withWallClock(WallClock clock) {
    return new DeadLettersOfBadRecords(policy, deadLetters, clock);
  }

  @Override
  public PDone expand(PCollection<BadRecord> badRecords) {
    return badRecords
        .apply(
            "To dead letters",
            ParDo.of(new ConvertFn(policy.metric(), policy.version(), wallClock)))
        .setCoder(DeadLetterCoder.of())
        .apply("Write dead letters", deadLetters);
  }

  static final class ConvertFn extends DoFn<BadRecord, DeadLetter> {
    private final String metric;
    private final String policyVersion;
    private final WallClock wallClock;
    private final Counter deadLetters = Metrics.counter("tidemark", "deadLetters");
    private final Counter ofReason =
        Metrics.counter("tidemark", "deadLetters." + Reason.IO_FAILURE);

    ConvertFn(String metric, String policyVersion, WallClock wallClock) {
      this.metric = metric;
      this.policyVersion = policyVersion;
      this.wallClock = wallClock;
    }

    @ProcessElement
    public void convert(@Element BadRecord badRecord, OutputReceiver<DeadLetter> out) {
      deadLetters.inc();
      ofReason.inc();
      BadRecord.Failure failure = badRecord.getFailure();
      out.output(
          new DeadLetter(
              Reason.IO_FAILURE,
              message(failure),
              Messages.stackTrace(failure.getExceptionStacktrace()),
              new RawRecord(
                  bytes(badRecord.getRecord()),
                  new Origin.Attempt(failure.getDescription()),
                  wallClock.now()),
              metric,
              policyVersion,
              1));
    }

    private static String message(BadRecord.Failure failure) {
      String exception = failure.getException();
      return Messages.wellFormed(
          exception == null
              ? failure.getDescription()
              : failure.getDescription() + ": " + Messages.cut(exception));
    }

    private static byte[] bytes(BadRecord.Record bad) {
      byte[] encoded = bad.getEncodedRecord();
      if (encoded != null) {
        return encoded;
      }
      String shown = bad.getHumanReadableJsonRecord();
      return shown == null ? new byte[0] : shown.getBytes(StandardCharsets.UTF_8);
    }
  }
}
