package dev.tidemark.dlq;

import dev.tidemark.dlq.Fields.Field;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Format;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import java.time.DateTimeException;
import java.util.regex.Pattern;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads the time that a policy's clock gives a record. Times lie in the years 1 to 9999: so far
 * inside Beam's range that no window, lateness or skew around them leaves it.
 */
final class EventClock {
  private static final String ALLOWED =
      "allowed: ISO-8601 text with an offset, or whole epoch milliseconds, in the years 1 to 9999";

  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00.000Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  /** Cells and headers have no type: one of digits only is a number. */
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,18}");

  private final Policy policy;
  private final WallClock wallClock;
  private final @Nullable Field field;
  private final boolean typed;

  EventClock(Policy policy, WallClock wallClock, Fields fields) {
    this.policy = policy;
    this.wallClock = wallClock;
    Pointer timestamp = policy.timestamp();
    this.field = timestamp == null ? null : fields.of(timestamp);
    this.typed =
        policy.format() instanceof Format.Json && timestamp != null && !timestamp.isMetadata();
  }

  /** The time of the record at hand, neither out of range nor too far ahead of the wall clock. */
  Instant timestamp(RawRecord raw) throws UnusableRecord {
    Instant now = wallClock.now();
    Instant timestamp =
        switch (policy.clock()) {
          case EVENT_TIME, BUSINESS_EFFECTIVE_TIME -> ofField(field == null ? null : field.value());
          case INGESTION_TIME -> inRange(raw.arrivedAt(), raw.arrivedAt().toString());
          case PROCESSING_TIME -> inRange(now, now.toString());
        };
    Duration maxSkew = policy.watermark().maxFutureSkew();
    if (timestamp.getMillis() - now.getMillis() > maxSkew.getMillis()) {
      throw new UnusableRecord(
          Reason.FUTURE_TIMESTAMP,
          subject() + " is " + timestamp + "; allowed: at most " + maxSkew + " after " + now);
    }
    return timestamp;
  }

  /** What holds the time, for a message. */
  String subject() {
    return switch (policy.clock()) {
      case EVENT_TIME, BUSINESS_EFFECTIVE_TIME -> String.valueOf(policy.timestamp());
      case INGESTION_TIME -> "the time of arrival";
      case PROCESSING_TIME -> "the time of processing";
    };
  }

  private Instant ofField(@Nullable FieldValue value) throws UnusableRecord {
    if (value == null) {
      throw new UnusableRecord(
          Reason.MISSING_TIMESTAMP, subject() + " is missing or null; " + ALLOWED);
    }
    return inRange(instant(value), value.shown());
  }

  private Instant inRange(@Nullable Instant instant, String shown) throws UnusableRecord {
    if (instant == null || instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
      throw new UnusableRecord(Reason.BAD_TIMESTAMP, subject() + " is " + shown + "; " + ALLOWED);
    }
    return instant;
  }

  private @Nullable Instant instant(FieldValue value) {
    try {
      if (value instanceof FieldValue.Usable usable) {
        if (usable.scalar() instanceof Scalar.Num num) {
          return Instant.ofEpochMilli(num.value().longValueExact());
        }
        if (usable.scalar() instanceof Scalar.Text text) {
          return instant(text.value());
        }
      }
      return null;
    } catch (DateTimeException | ArithmeticException neitherForm) {
      return null;
    }
  }

  private Instant instant(String text) {
    if (!typed && WHOLE_NUMBER.matcher(text).matches()) {
      return Instant.ofEpochMilli(Long.parseLong(text));
    }
    return Instant.ofEpochMilli(Timestamps.epochMillis(text));
  }
}
