package dev.tidemark.dlq;

import dev.tidemark.event.Bytes;
import dev.tidemark.event.Event;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Clock;
import dev.tidemark.policy.Format;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Watermark;
import dev.tidemark.policy.Windowing;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Policies and records for the tests of this package. */
final class Samples {
  static final Instant NOW = Instant.parse("2026-07-04T12:00:00Z");
  static final Instant ARRIVED = Instant.parse("2026-07-04T11:59:00Z");
  static final WallClock FIXED_CLOCK = () -> NOW;
  static final Format JSON = new Format.Json();
  static final Format CSV = new Format.Csv(List.of("k", "t", "v", "w"), ';');
  static final Windowing MINUTES = new Windowing.Fixed(Duration.standardMinutes(1), Duration.ZERO);

  private Samples() {}

  /** Key {@code /k}, time {@code /t}, a count, a sum over {@code /v}. */
  static Policy policy() {
    return policy(JSON, Clock.EVENT_TIME, MINUTES);
  }

  static Policy policy(Format format, Clock clock, Windowing windowing) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    aggregates.put("n", new Aggregate.Count());
    aggregates.put("sum", new Aggregate.Sum(new Pointer("/v")));
    return policy(format, clock, windowing, aggregates);
  }

  static Policy policy(
      Format format, Clock clock, Windowing windowing, Map<String, Aggregate> aggregates) {
    return new Policy(
        "sample",
        "3",
        format,
        clock,
        clock.readsTimestamp() ? new Pointer("/t") : null,
        Map.of("k", new Pointer("/k")),
        windowing,
        Trigger.DEFAULT,
        Duration.standardMinutes(1),
        Accumulation.ACCUMULATING,
        TooLate.QUARANTINE,
        aggregates,
        Watermark.DEFAULT);
  }

  /** A policy that keeps the last value of one field besides. */
  static Policy reading(String pointer) {
    return policy(
        JSON,
        Clock.INGESTION_TIME,
        MINUTES,
        Map.of("last", new Aggregate.Last(new Pointer(pointer))));
  }

  static RawRecord raw(String text) {
    return raw(text.getBytes(StandardCharsets.UTF_8));
  }

  static RawRecord raw(byte[] bytes) {
    return new RawRecord(bytes, new Origin.FileLine("events.ndjson", 42, 7L), ARRIVED);
  }

  static RawRecord ofTopic(String value, @Nullable Bytes key, Origin.Header... headers) {
    return new RawRecord(
        value.getBytes(StandardCharsets.UTF_8),
        new Origin.TopicRecord("orders", 3, 1_000, ARRIVED, key, List.of(headers), false),
        ARRIVED);
  }

  /** A message of a subscription. */
  static RawRecord ofSubscription(
      String data, @Nullable String orderingKey, Map<String, String> attributes) {
    return new RawRecord(
        data.getBytes(StandardCharsets.UTF_8),
        new Origin.Message(
            "projects/p-1/subscriptions/orders", "77", ARRIVED, orderingKey, attributes),
        ARRIVED);
  }

  /** A record of a topic that has no value. */
  static RawRecord tombstone() {
    return new RawRecord(
        new byte[0],
        new Origin.TopicRecord("orders", 3, 1_000, ARRIVED, bytes("a"), List.of(), true),
        ARRIVED);
  }

  static Bytes bytes(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  static RecordParser.Outcome parse(Policy policy, RawRecord raw) {
    return RecordParser.of(policy).withWallClock(FIXED_CLOCK).parse(raw);
  }

  static Event event(Policy policy, RawRecord raw) {
    RecordParser.Outcome outcome = parse(policy, raw);
    if (outcome instanceof RecordParser.Parsed parsed) {
      return parsed.event();
    }
    throw new AssertionError("expected an event, got " + outcome);
  }

  static DeadLetter deadLetter(Policy policy, RawRecord raw) {
    RecordParser.Outcome outcome = parse(policy, raw);
    if (outcome instanceof RecordParser.Rejected rejected) {
      return rejected.deadLetter();
    }
    throw new AssertionError("expected a dead letter, got " + outcome);
  }
}
