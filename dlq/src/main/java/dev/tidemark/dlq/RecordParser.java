package dev.tidemark.dlq;

import static java.util.stream.Collectors.partitioningBy;

import dev.tidemark.dlq.Fields.Field;
import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Format;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.Windowing.ReportingCalendar;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Parses single records for one policy. Use it where a record's event is needed outside a pipeline
 * step, in a source that reports a watermark say; in a pipeline use {@link ParseEvents}. Not
 * serializable, and for one thread at a time: make one where it is used.
 *
 * <p>A record is judged by whether it has a value, its form, then its time, key and fields in the
 * policy's order, then its reporting period; a bad one gets the reason that comes first.
 */
public final class RecordParser {
  private static final String SCALAR_ALLOWED =
      "; allowed: well-formed text, true, false, or " + Decimals.ALLOWED;
  private static final String NUMBER_ALLOWED = "; allowed: " + Decimals.ALLOWED;

  private final Policy policy;
  private final Fields fields;
  private final FieldReader reader;
  private final List<Field> metadata;
  private final EventClock clock;
  private final List<Field> key;
  private final List<Read> reads;
  private final NavigableMap<Instant, ReportingPeriod> periods = new TreeMap<>();

  private RecordParser(Policy policy, WallClock wallClock) {
    this.policy = policy;
    this.fields = new Fields(policy.pointers());
    Map<Boolean, List<Field>> areMetadata =
        fields.all().stream().collect(partitioningBy(field -> field.pointer().isMetadata()));
    this.reader = FieldReader.of(policy.format(), areMetadata.get(false));
    this.metadata = areMetadata.get(true);
    this.clock = new EventClock(policy, wallClock, fields);
    this.key = policy.key().values().stream().map(fields::of).toList();
    this.reads = policy.aggregateList().stream().map(this::read).toList();
    if (policy.windowing() instanceof ReportingCalendar calendar) {
      calendar.periods().forEach(period -> periods.put(period.start(), period));
    }
  }

  /** What an aggregate reads; no field where it reads none. */
  private record Read(Aggregate aggregate, @Nullable Field field) {}

  private Read read(Aggregate aggregate) {
    Pointer pointer = aggregate.of();
    return new Read(aggregate, pointer == null ? null : fields.of(pointer));
  }

  /** A parser for the policy, with the machine's own clock. */
  public static RecordParser of(Policy policy) {
    return new RecordParser(policy, WallClock.SYSTEM);
  }

  /** The clock of the future guard and of processing time. */
  public RecordParser withWallClock(WallClock wallClock) {
    return new RecordParser(policy, wallClock);
  }

  /** What became of a record: exactly one of the two. */
  public sealed interface Outcome {}

  /** The policy can use the record. */
  public record Parsed(Event event) implements Outcome {}

  /** The policy cannot use the record. */
  public record Rejected(DeadLetter deadLetter) implements Outcome {}

  /** Parses a record. Never throws, whatever the bytes are. */
  public Outcome parse(RawRecord raw) {
    try {
      return new Parsed(event(raw));
    } catch (UnusableRecord e) {
      return new Rejected(deadLetter(raw, e));
    }
  }

  private Event event(RawRecord raw) throws UnusableRecord {
    checkValue(raw.origin());
    fields.clear();
    reader.read(raw.bytes());
    RecordMetadata.read(raw.origin(), metadata);
    Instant timestamp = clock.timestamp(raw);
    EventKey key = key();
    List<@Nullable Scalar> values = values();
    checkPeriod(timestamp);
    return new Event(key, timestamp, values, raw);
  }

  private static void checkValue(Origin origin) throws UnusableRecord {
    if (origin instanceof Origin.TopicRecord record && record.tombstone()) {
      throw new UnusableRecord(
          Reason.TOMBSTONE, "the record has no value; allowed: the value of an event");
    }
  }

  private EventKey key() throws UnusableRecord {
    List<Scalar> values = new ArrayList<>(key.size());
    for (Field field : key) {
      FieldValue value = field.value();
      if (value == null) {
        throw missing(Reason.MISSING_KEY, field.pointer(), SCALAR_ALLOWED);
      }
      if (!(value instanceof FieldValue.Usable usable)) {
        throw bad(Reason.BAD_KEY, field.pointer(), value, SCALAR_ALLOWED);
      }
      values.add(usable.scalar());
    }
    return new EventKey(values);
  }

  private List<@Nullable Scalar> values() throws UnusableRecord {
    List<@Nullable Scalar> values = new ArrayList<>(reads.size());
    for (Read read : reads) {
      values.add(read.field == null ? null : value(read.aggregate, read.field));
    }
    return values;
  }

  private Scalar value(Aggregate aggregate, Field field) throws UnusableRecord {
    String allowed = aggregate.numeric() ? NUMBER_ALLOWED : SCALAR_ALLOWED;
    FieldValue value = field.value();
    if (value == null) {
      throw missing(Reason.MISSING_FIELD, field.pointer(), allowed);
    }
    Scalar scalar = value instanceof FieldValue.Usable usable ? usable.scalar() : null;
    if (aggregate.numeric()) {
      scalar = number(field.pointer(), scalar);
    }
    if (scalar == null) {
      throw bad(Reason.BAD_FIELD, field.pointer(), value, allowed);
    }
    return scalar;
  }

  /** Cells and headers have no type, so there the text of a number is one; in JSON none is. */
  private Scalar.@Nullable Num number(Pointer pointer, @Nullable Scalar scalar) {
    boolean typed = policy.format() instanceof Format.Json && !pointer.isMetadata();
    if (scalar instanceof Scalar.Text text && !typed) {
      BigDecimal value = Decimals.parse(text.value());
      return value == null ? null : new Scalar.Num(value);
    }
    return scalar instanceof Scalar.Num num ? num : null;
  }

  private void checkPeriod(Instant timestamp) throws UnusableRecord {
    if (policy.windowing() instanceof ReportingCalendar calendar && !hasPeriod(timestamp)) {
      throw new UnusableRecord(
          Reason.NO_PERIOD,
          clock.subject()
              + " is "
              + timestamp
              + "; allowed: a time in one of the periods of "
              + calendar.file());
    }
  }

  private boolean hasPeriod(Instant timestamp) {
    Map.Entry<Instant, ReportingPeriod> latest = periods.floorEntry(timestamp);
    return latest != null && timestamp.isBefore(latest.getValue().end());
  }

  private static UnusableRecord missing(Reason reason, Pointer pointer, String allowed) {
    return new UnusableRecord(reason, pointer + " is missing or null" + allowed);
  }

  private static UnusableRecord bad(
      Reason reason, Pointer pointer, FieldValue value, String allowed) {
    return new UnusableRecord(reason, pointer + " is " + value.shown() + allowed);
  }

  private DeadLetter deadLetter(RawRecord raw, UnusableRecord e) {
    return new DeadLetter(
        e.reason,
        Messages.wellFormed(e.getMessage()),
        Messages.stackTrace(e.getCause()),
        raw,
        policy.metric(),
        policy.version(),
        1);
  }
}
