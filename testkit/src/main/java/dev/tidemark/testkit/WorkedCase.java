package dev.tidemark.testkit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
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
import dev.tidemark.testkit.ReferenceModel.Kind;
import dev.tidemark.testkit.ReferenceModel.Missed;
import dev.tidemark.testkit.ReferenceModel.Result;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A folder of {@code testdata/cases}. Its policy is built here and its events are read in the
 * plainest way, so that an error of the loader or the parser cannot hide one of what is tested.
 *
 * @param name the folder's
 * @param steps the events, and the watermark's moves between them
 * @param deadLetters how many lines are no event
 */
public record WorkedCase(String name, Policy policy, List<Step> steps, int deadLetters) {
  private static final Path CASES =
      Path.of(System.getProperty("tidemark.root"), "testdata", "cases");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final Duration HOUR = Duration.standardHours(1);

  /** A result as far as the cases compare it, its numbers to six decimals. */
  private record Row(
      EventKey key,
      @Nullable Instant start,
      @Nullable Instant end,
      Kind kind,
      long firing,
      List<BigDecimal> value) {

    Row withoutSequence() {
      return new Row(key, start, end, Kind.FINAL, 0, value);
    }
  }

  /** All of them, by name. */
  public static List<WorkedCase> all() throws IOException {
    List<WorkedCase> cases = new ArrayList<>();
    try (Stream<Path> folders = Files.list(CASES)) {
      for (Path folder : folders.sorted().toList()) {
        String name = folder.getFileName().toString();
        cases.add(of(name, policy(name), Files.readAllLines(folder.resolve("events.ndjson"))));
      }
    }
    return cases;
  }

  /** Fails if this is not what the case says. */
  public void assertExpects(List<Result> results, List<Missed> tooLate) throws IOException {
    JsonNode expected = JSON.readTree(CASES.resolve(name).resolve("expected.json").toFile());
    String compare = expected.get("compare").textValue();
    assertThat(
        compared(compare, rows(results)),
        containsInAnyOrder(compared(compare, rows(expected.get("results"))).toArray(Row[]::new)));
    assertThat(
        tooLate.stream().map(Missed::window).toList(),
        containsInAnyOrder(
            elements(expected.get("tooLate")).map(WorkedCase::window).toArray(Window[]::new)));
    assertThat(deadLetters, is(expected.get("deadLetters").intValue()));
  }

  @Override
  public String toString() {
    return name;
  }

  /** What is left of the rows under the case's rule. */
  private static List<Row> compared(String rule, List<Row> rows) {
    Predicate<Row> early = row -> row.kind() == Kind.EARLY;
    Predicate<Row> settled = row -> Set.of(Kind.FINAL, Kind.LATE_UPDATE).contains(row.kind());
    return switch (rule) {
      case "all" -> rows;
      case "early-only" -> rows.stream().filter(early).toList();
      case "final-values" -> rows.stream().filter(settled).map(Row::withoutSequence).toList();
      default -> throw new IllegalArgumentException(rule);
    };
  }

  private static List<Row> rows(List<Result> results) {
    return results.stream()
        .map(
            result ->
                new Row(
                    result.key(),
                    result.window().start(),
                    result.window().end(),
                    result.kind(),
                    result.firingSequence(),
                    result.value().stream().map(value -> rounded((BigDecimal) value)).toList()))
        .toList();
  }

  private static List<Row> rows(JsonNode results) {
    return elements(results)
        .map(
            result ->
                new Row(
                    new EventKey(elements(result.get("key")).map(WorkedCase::scalar).toList()),
                    instant(result.get("windowStart")),
                    instant(result.get("windowEnd")),
                    Kind.valueOf(result.get("resultKind").textValue()),
                    result.get("firingSequence").longValue(),
                    elements(result.get("value")).map(v -> rounded(v.decimalValue())).toList()))
        .toList();
  }

  private static Window window(JsonNode tooLate) {
    return new Window(instant(tooLate.get("windowStart")), instant(tooLate.get("windowEnd")));
  }

  private static @Nullable Instant instant(JsonNode node) {
    return node.isNull() ? null : Instant.parse(node.textValue());
  }

  private static BigDecimal rounded(BigDecimal number) {
    return number.setScale(6, RoundingMode.HALF_EVEN);
  }

  private static Stream<JsonNode> elements(JsonNode node) {
    return StreamSupport.stream(node.spliterator(), false);
  }

  /** After each event the watermark follows the highest timestamp; directives move it by hand. */
  private static WorkedCase of(String name, Policy policy, List<String> lines) {
    List<Step> steps = new ArrayList<>();
    int deadLetters = 0;
    Instant watermark = Instant.ofEpochMilli(0);
    for (String line : lines) {
      JsonNode json = object(line);
      Event event = json == null ? null : event(policy, json, line);
      if (json != null && json.has("@watermark")) {
        watermark = Instant.parse(json.get("@watermark").textValue());
        steps.add(new Step.Advance(watermark));
      } else if (event == null) {
        deadLetters++;
      } else {
        steps.add(new Step.Arrive(event));
        Instant proven = event.timestamp().minus(policy.watermark().maxOutOfOrderness());
        if (proven.isAfter(watermark)) {
          watermark = proven;
          steps.add(new Step.Advance(watermark));
        }
      }
    }
    return new WorkedCase(name, policy, steps, deadLetters);
  }

  private static @Nullable JsonNode object(String line) {
    try {
      JsonNode json = JSON.readTree(line);
      return json.isObject() ? json : null;
    } catch (JsonProcessingException notJson) {
      return null;
    }
  }

  /** The event of a line; null where a field is missing or of the wrong type. */
  private static @Nullable Event event(Policy policy, JsonNode json, String line) {
    Instant timestamp = timestamp(json.at(Objects.requireNonNull(policy.timestamp()).text()));
    List<Scalar> key = new ArrayList<>();
    for (Pointer pointer : policy.key().values()) {
      if (!json.at(pointer.text()).isTextual()) {
        return null;
      }
      key.add(scalar(json.at(pointer.text())));
    }
    List<@Nullable Scalar> values = new ArrayList<>();
    for (Aggregate aggregate : policy.aggregates().values()) {
      Pointer of = aggregate.of();
      if (of != null && !json.at(of.text()).isNumber()) {
        return null;
      }
      values.add(of == null ? null : scalar(json.at(of.text())));
    }
    RawRecord raw =
        new RawRecord(
            line.getBytes(StandardCharsets.UTF_8),
            new Origin.FileLine("events.ndjson", 0, null),
            Instant.ofEpochMilli(0));
    return timestamp == null ? null : new Event(new EventKey(key), timestamp, values, raw);
  }

  private static @Nullable Instant timestamp(JsonNode node) {
    try {
      return node.isTextual() ? Instant.parse(node.textValue()) : null;
    } catch (IllegalArgumentException notATime) {
      return null;
    }
  }

  private static Scalar scalar(JsonNode node) {
    return node.isNumber()
        ? new Scalar.Num(node.decimalValue())
        : new Scalar.Text(node.textValue());
  }

  private static Policy policy(String name) {
    return switch (name) {
      case "business-day-jakarta" ->
          policy(
              "/t",
              "/branch",
              jakartaBusinessDay(),
              HOUR,
              Duration.standardDays(7),
              counts("cases"));
      case "dead-letters" ->
          policy("/t", "/k", minutes(1), minute(1), minute(1), countAnd("n", "sum", sum("/v")));
      case "event-time-despite-delay" ->
          policy(
              "/event_ts",
              "/sensor",
              minutes(1),
              minute(1),
              Duration.standardSeconds(5),
              counts("readings"));
      case "global-every-thousand" -> globalEveryThousand();
      case "hopping-count" ->
          policy(
              "/t",
              "/user",
              new Windowing.Sliding(minute(10), minute(1), Duration.ZERO),
              minute(2),
              Duration.standardSeconds(30),
              countAnd("events", "avg_ms", new Aggregate.Mean(new Pointer("/ms"))));
      case "late-five-accumulating" -> lateFive(Accumulation.ACCUMULATING);
      case "late-five-discarding" -> lateFive(Accumulation.DISCARDING);
      case "late-five-retracting" -> lateFive(Accumulation.RETRACTING);
      case "out-of-order-and-late" ->
          policy("/at", "/regulator", minutes(5), minute(10), HOUR, counts("escalations"));
      case "revenue-corrected" ->
          policy(
              "/event_time",
              "/store_id",
              minutes(1),
              minute(3),
              HOUR,
              Map.of("revenue", sum("/amount")));
      case "revenue-five-minutes" ->
          policy(
              "/event_time",
              "/store_id",
              minutes(5),
              minute(10),
              minute(2),
              Map.of("revenue", sum("/amount")));
      case "sessions-bridged" ->
          policy(
              "/t",
              "/user",
              new Windowing.Sessions(minute(30), null),
              HOUR,
              Duration.standardHours(2),
              counts("clicks"));
      case "too-late-lane" -> policy("/t", "/k", minutes(1), minute(2), HOUR, counts("n"));
      default -> throw new IllegalArgumentException("no policy for the case " + name);
    };
  }

  private static Policy lateFive(Accumulation accumulation) {
    return policy(
        "/t",
        "/player",
        minutes(10),
        Trigger.DEFAULT,
        HOUR,
        accumulation,
        HOUR,
        Map.of("points", sum("/points")));
  }

  private static Policy globalEveryThousand() {
    return policy(
        "/t",
        "/device_id",
        new Windowing.Global(),
        new Trigger(new Trigger.Count(1000), Trigger.DEFAULT.late()),
        Duration.ZERO,
        Accumulation.DISCARDING,
        Duration.ZERO,
        countAnd("events", "sum_amount", sum("/amount")));
  }

  private static Policy policy(
      String timestamp,
      String key,
      Windowing windowing,
      Duration lateness,
      Duration outOfOrderness,
      Map<String, Aggregate> aggregates) {
    return policy(
        timestamp,
        key,
        windowing,
        Trigger.DEFAULT,
        lateness,
        Accumulation.ACCUMULATING,
        outOfOrderness,
        aggregates);
  }

  private static Policy policy(
      String timestamp,
      String key,
      Windowing windowing,
      Trigger trigger,
      Duration lateness,
      Accumulation accumulation,
      Duration outOfOrderness,
      Map<String, Aggregate> aggregates) {
    return new Policy(
        "worked-case",
        "1",
        new Format.Json(),
        Clock.EVENT_TIME,
        new Pointer(timestamp),
        Map.of("key", new Pointer(key)),
        windowing,
        trigger,
        lateness,
        accumulation,
        TooLate.QUARANTINE,
        aggregates,
        new Watermark(
            outOfOrderness, Watermark.DEFAULT.idleAfter(), Watermark.DEFAULT.maxFutureSkew()));
  }

  private static Windowing jakartaBusinessDay() {
    return new Windowing.Calendar(
        Windowing.Period.DAY,
        ZoneId.of("Asia/Jakarta"),
        LocalTime.of(7, 0),
        DayOfWeek.MONDAY,
        Month.JANUARY);
  }

  private static Windowing minutes(int minutes) {
    return new Windowing.Fixed(minute(minutes), Duration.ZERO);
  }

  private static Duration minute(int minutes) {
    return Duration.standardMinutes(minutes);
  }

  private static Aggregate sum(String pointer) {
    return new Aggregate.Sum(new Pointer(pointer));
  }

  private static Map<String, Aggregate> counts(String name) {
    return Map.of(name, new Aggregate.Count());
  }

  private static Map<String, Aggregate> countAnd(String count, String name, Aggregate aggregate) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>(counts(count));
    aggregates.put(name, aggregate);
    return aggregates;
  }
}
