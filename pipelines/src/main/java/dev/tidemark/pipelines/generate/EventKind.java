package dev.tidemark.pipelines.generate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Random;
import org.joda.time.DateTimeZone;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** The kinds of sample events: how often they happen, what they look like, how they break. */
public enum EventKind {
  /** Payments of a few stores, some much busier than others: exact decimal amounts. */
  PAYMENTS(Duration.standardSeconds(1), "event_time", "store_id", "amount") {
    @Override
    ObjectNode event(long number, Instant time, Random random) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("payment_id", String.format(Locale.ROOT, "p-%08x", random.nextInt()))
          .put("store_id", "s-" + (1 + Math.min(random.nextInt(6), random.nextInt(6))))
          .put("event_time", time.toString())
          .put("amount", BigDecimal.valueOf(100 + random.nextInt(20_000), 2))
          .put("currency", pick(random, "USD", "EUR", "IDR"));
    }
  },

  /** Clicks of users who come, stay for a while, and may come back: for sessions. */
  CLICKS(Duration.standardSeconds(2), "t", "user_id", "ms") {
    @Override
    ObjectNode event(long number, Instant time, Random random) {
      long firstPresent = number / 40;
      long user = (firstPresent + random.nextInt(20)) % 60;
      return JsonNodeFactory.instance
          .objectNode()
          .put("user_id", "u-" + user)
          .put("url", pick(random, "/", "/search", "/basket", "/checkout", "/help"))
          .put("t", time.toString())
          .put("ms", 20 + random.nextInt(600));
    }
  },

  /** Escalations to regulators over weeks, stamped with local time and its offset. */
  ESCALATIONS(Duration.standardHours(1), "effective_at", "branch", "exposure") {
    @Override
    ObjectNode event(long number, Instant time, Random random) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("case_id", String.format(Locale.ROOT, "c-%06d", number))
          .put("branch", pick(random, "jakarta", "bandung", "surabaya", "medan"))
          .put("regulator", pick(random, "OJK", "BI", "LPS"))
          .put("effective_at", time.toDateTime(DateTimeZone.forOffsetHours(7)).toString())
          .put("exposure", BigDecimal.valueOf(random.nextInt(5_000_000), 2));
    }
  },

  /** Readings of devices: epoch milliseconds, and the values in a nested object. */
  TELEMETRY(Duration.millis(500), "ts", "device", "temperature") {
    @Override
    ObjectNode event(long number, Instant time, Random random) {
      ObjectNode event = JsonNodeFactory.instance.objectNode();
      event.put("device", "d-" + random.nextInt(8)).put("ts", time.getMillis());
      event
          .putObject("reading")
          .put("temperature", BigDecimal.valueOf(150 + random.nextInt(200), 1))
          .put("humidity", 30 + random.nextInt(60));
      return event;
    }
  },

  /** Readings of devices as lines of separated values: device, epoch milliseconds, temperature. */
  TELEMETRY_CSV(Duration.millis(500), "ts", "device", "temperature") {
    @Override
    ObjectNode event(long number, Instant time, Random random) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("device", "d-" + random.nextInt(8))
          .put("ts", time.getMillis())
          .put("temperature", BigDecimal.valueOf(150 + random.nextInt(200), 1));
    }

    @Override
    String text(ObjectNode event) {
      return String.join(
          ",",
          event.path("device").asText(),
          event.path("ts").asText(),
          event.path("temperature").asText());
    }

    @Override
    String malformed(String line) {
      return line + ",";
    }
  };

  private final Duration spacing;
  private final String timeField;
  private final String keyField;
  private final String numberField;

  EventKind(Duration spacing, String timeField, String keyField, String numberField) {
    this.spacing = spacing;
    this.timeField = timeField;
    this.keyField = keyField;
    this.numberField = numberField;
  }

  /** The kind as the command line names it: {@code telemetry-csv}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How far apart two events are on average. */
  Duration spacing() {
    return spacing;
  }

  /** One event as a line without its end, broken if there is a fault. */
  String line(long number, Instant time, @Nullable Fault fault, Random random) {
    ObjectNode event = event(number, time, random);
    if (fault != null) {
      breakFields(event, fault);
    }
    String line = text(event);
    return fault == Fault.MALFORMED ? malformed(line) : line;
  }

  abstract ObjectNode event(long number, Instant time, Random random);

  String text(ObjectNode event) {
    return event.toString();
  }

  String malformed(String line) {
    return line.substring(0, line.length() / 2);
  }

  private void breakFields(ObjectNode event, Fault fault) {
    switch (fault) {
      case MISSING_TIME -> event.remove(timeField);
      case BAD_TIME -> event.put(timeField, "yesterday");
      case MISSING_KEY -> event.remove(keyField);
      case WRONG_TYPE -> event.findParent(numberField).put(numberField, "n/a");
      case MALFORMED -> {} // breaks the line, not a field
    }
  }

  private static String pick(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
