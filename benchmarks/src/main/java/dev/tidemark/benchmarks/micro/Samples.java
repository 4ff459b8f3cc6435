package dev.tidemark.benchmarks.micro;

import dev.tidemark.dlq.RecordParser;
import dev.tidemark.event.Event;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.nio.charset.StandardCharsets;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** Clicks of a thousand kinds, so that no two in a row are the same. */
final class Samples {
  static final int COUNT = 1_000;

  private static final String LINE =
      "{\"ts\":%s,\"url\":\"/p/%d\",\"user\":\"u%d\",\"bytes\":%d,\"method\":\"GET\",\"status\":200,"
          + "\"referrer\":\"https://example.com/\",\"agent\":\"Mozilla/5.0 (X11)\"}";
  private static final Instant START = Instant.parse("2024-07-04T10:00:00.000Z");

  private Samples() {}

  /**
   * A policy over the clicks.
   *
   * @param aggregates as a policy has them
   */
  static Policy policy(String aggregates) {
    try {
      return PolicyLoader.parse(
          """
          metric: clicks
          version: "1"
          timestamp: /ts
          key: {url: /url}
          window: {fixed: {size: 5m}}
          aggregates: {%s}
          """
              .formatted(aggregates),
          "policy.yaml");
    } catch (PolicyException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The clicks as they come.
   *
   * @param isoText whether times are ISO-8601 text, and not epoch milliseconds
   */
  static RawRecord[] records(boolean isoText) {
    RawRecord[] records = new RawRecord[COUNT];
    for (int i = 0; i < COUNT; i++) {
      Instant time = START.plus(Duration.millis(i * 977L));
      String line =
          LINE.formatted(
              isoText ? "\"" + time + "\"" : Long.toString(time.getMillis()),
              i,
              i * 31,
              200 + i * 17);
      records[i] =
          new RawRecord(
              line.getBytes(StandardCharsets.UTF_8),
              new Origin.FileLine("clicks.ndjson", i * 168L, null),
              START);
    }
    return records;
  }

  /** The clicks as the policy reads them. */
  static Event[] events(Policy policy) {
    RecordParser parser = RecordParser.of(policy);
    Event[] events = new Event[COUNT];
    RawRecord[] records = records(true);
    for (int i = 0; i < COUNT; i++) {
      events[i] = ((RecordParser.Parsed) parser.parse(records[i])).event();
    }
    return events;
  }
}
