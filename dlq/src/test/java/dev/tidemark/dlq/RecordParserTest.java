package dev.tidemark.dlq;

import static dev.tidemark.dlq.Samples.ARRIVED;
import static dev.tidemark.dlq.Samples.CSV;
import static dev.tidemark.dlq.Samples.JSON;
import static dev.tidemark.dlq.Samples.MINUTES;
import static dev.tidemark.dlq.Samples.NOW;
import static dev.tidemark.dlq.Samples.raw;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Clock;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the parser makes of records that are good. */
class RecordParserTest {
  private static final String TIME = "2026-07-04T10:00:00Z";

  @Test
  void anEventHasKeyTimestampValuesAndTheRawRecord() {
    var record = raw("{\"k\": \"a\", \"t\": \"" + TIME + "\", \"v\": 2.50, \"x\": {\"y\": [1]}}");
    Event event = Samples.event(Samples.policy(), record);
    assertThat(event.key(), is(new EventKey(List.of(text("a")))));
    assertThat(event.timestamp(), is(Instant.parse(TIME)));
    assertThat(event.values(), contains(nullValue(), is(number("2.50"))));
    assertThat(event.raw(), is(record));
  }

  @Test
  void aFieldThatIsMissingIsNotTheOneOfTheRecordBefore() {
    RecordParser parser = RecordParser.of(Samples.policy()).withWallClock(Samples.FIXED_CLOCK);
    parser.parse(raw("{\"k\": \"a\", \"t\": \"" + TIME + "\", \"v\": 1}"));
    var next = raw("{\"k\": \"b\", \"t\": \"" + TIME + "\"}");
    assertThat(parser.parse(next), is(Samples.parse(Samples.policy(), next)));
  }

  @ParameterizedTest
  @CsvSource({
    "'\"2026-07-04T10:00:00Z\"', 2026-07-04T10:00:00.000Z",
    "'\"2026-07-04T10:00Z\"', 2026-07-04T10:00:00.000Z",
    "'\"2026-07-04t10:00:00z\"', 2026-07-04T10:00:00.000Z",
    "'\"2026-07-04T10:00:00+07:00\"', 2026-07-04T03:00:00.000Z",
    "'\"2026-07-04T10:00:00.123456789-00:30\"', 2026-07-04T10:30:00.123Z",
    "'\"1969-12-31T23:59:59.9999Z\"', 1969-12-31T23:59:59.999Z",
    "'\"0001-01-01T00:00:00Z\"', 0001-01-01T00:00:00.000Z",
    "1783159200000, 2026-07-04T10:00:00.000Z",
    "1783159200000.0, 2026-07-04T10:00:00.000Z",
    "-1, 1969-12-31T23:59:59.999Z",
    "'\"2026-07-04T12:05:00Z\"', 2026-07-04T12:05:00.000Z", // as far ahead as the policy allows
  })
  void aTimestampIsIsoTextWithAnOffsetOrWholeEpochMilliseconds(String json, String expected) {
    var record = raw("{\"k\":\"a\",\"v\":1,\"t\":" + json + "}");
    assertThat(Samples.event(Samples.policy(), record).timestamp(), is(Instant.parse(expected)));
  }

  static Stream<Arguments> clocks() {
    return Stream.of(
        arguments(Clock.EVENT_TIME, Instant.parse(TIME)),
        arguments(Clock.BUSINESS_EFFECTIVE_TIME, Instant.parse(TIME)),
        arguments(Clock.INGESTION_TIME, ARRIVED),
        arguments(Clock.PROCESSING_TIME, NOW));
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void theClockSaysWhichTimeIsRead(Clock clock, Instant expected) {
    Policy policy = Samples.policy(JSON, clock, MINUTES);
    var record = raw("{\"k\":\"a\",\"v\":1,\"t\":\"" + TIME + "\"}");
    assertThat(Samples.event(policy, record).timestamp(), is(expected));
  }

  static Stream<Arguments> fields() {
    return Stream.of(
        arguments("/a/b", "{\"a\":{\"c\":1,\"b\":2}}", number("2")),
        arguments("/a/1/b", "{\"a\":[{\"b\":1},{\"b\":2},{\"b\":3}]}", number("2")),
        arguments("/a/1", "{\"a\":{\"1\":\"by name\"}}", text("by name")),
        arguments("/a~1b", "{\"a/b\":true,\"a\":{\"b\":false}}", new Scalar.Bool(true)),
        arguments("/~0", "{\"~\":\"tilde\"}", text("tilde")),
        arguments("/", "{\"\":\"no name\"}", text("no name")),
        arguments("/a", "{\"\\u0061\":\"escaped\"}", text("escaped")),
        arguments("/a", "{\"a\":\"\"}", text("")),
        arguments("/a", "{\"a\":\"\\ud83d\\ude00\"}", text("😀")),
        arguments("/a", "{\"a\":1,\"a\":2}", number("2")),
        arguments("/a/b", "{\"a\":{\"b\":1},\"a\":{\"b\":2}}", number("2")),
        arguments("/a", "{\"a\":1e400}", number("1e400")),
        arguments("/a", "{\"a\":4.9E-324}", number("4.9E-324")),
        arguments("/a", "{\"a\":" + "7".repeat(400) + "}", number("7".repeat(400))),
        arguments("/a", "\uFEFF{\"a\":1}", number("1")),
        arguments("/a", " {\"a\":1} \r\n", number("1")),
        arguments("/a", "{\"a\":1,\"x\":\"\\ud800\"}", number("1")),
        arguments("/a", "{\"a\":1,\"x\":1e999999999}", number("1")),
        arguments("/a", "{\"a\":1,\"x\":" + "7".repeat(1_000_000) + "}", number("1")),
        arguments("/a", "{\"a\":1,\"" + "x".repeat(100_000) + "\":1}", number("1")),
        arguments("/a", "{\"a\":1,\"x\":" + nested(999) + "}", number("1")),
        arguments("/a", "{\"a\":\"" + "x".repeat(1_000_000) + "\"}", text("x".repeat(1_000_000))));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aFieldIsFoundByItsPointer(String pointer, String record, Scalar expected) {
    String keyed = record.replaceFirst("\\{", "{\"k\":1,");
    assertThat(
        Samples.event(Samples.reading(pointer), raw(keyed)).values(), contains(is(expected)));
  }

  static Stream<Arguments> overwritten() {
    return Stream.of(
        arguments("/a/b", "{\"k\":1,\"a\":{\"b\":1},\"a\":2}"),
        arguments("/a", "{\"k\":1,\"a\":1,\"a\":null}"),
        arguments("/a/b", "{\"k\":1,\"a\":{\"b\":1},\"a\":{}}"));
  }

  @ParameterizedTest
  @MethodSource("overwritten")
  void aLaterDuplicateTakesBackAnEarlierField(String pointer, String record) {
    assertThat(
        Samples.deadLetter(Samples.reading(pointer), raw(record)).reason(),
        is(Reason.MISSING_FIELD));
  }

  @Test
  void aFieldMayLieInsideAnotherThatIsNoScalar() {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    aggregates.put("inner", new Aggregate.Last(new Pointer("/a/b")));
    aggregates.put("outer", new Aggregate.Last(new Pointer("/a")));
    Policy policy = Samples.policy(JSON, Clock.INGESTION_TIME, MINUTES, aggregates);
    assertThat(
        Samples.deadLetter(policy, raw("{\"k\":1,\"a\":{\"b\":1}}")).message(),
        is(
            "/a is an object; allowed: well-formed text, true, false, or a number of at most 400"
                + " digits, with an exponent from -400 to 400"));
  }

  @Test
  void aLineOfTenMegabytesIsRead() {
    var record = raw("{\"k\":1,\"x\":\"" + "x".repeat(10_000_000) + "\",\"a\":7}");
    assertThat(Samples.event(Samples.reading("/a"), record).values(), contains(is(number("7"))));
  }

  static Stream<Arguments> csv() {
    return Stream.of(
        arguments("a;" + TIME + ";1.50;true", text("a"), number("1.50"), text("true")),
        arguments("7;1783159200000;1e2;7", text("7"), number("1e2"), text("7")),
        arguments("\"a;b\";" + TIME + ";\"1\";x", text("a;b"), number("1"), text("x")),
        arguments(
            "\"say \"\"hi\"\"\";" + TIME + ";1;x", text("say \"hi\""), number("1"), text("x")),
        arguments("\"\";" + TIME + ";1;\"\"", text(""), number("1"), text("")),
        arguments(" a ;" + TIME + ";1;x\r", text(" a "), number("1"), text("x")),
        arguments("\uFEFFa;" + TIME + ";1;\0", text("a"), number("1"), text("\0")));
  }

  @ParameterizedTest
  @MethodSource("csv")
  void aCellIsTextUnlessANumberIsNeeded(String record, Scalar key, Scalar sum, Scalar last) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    aggregates.put("sum", new Aggregate.Sum(new Pointer("/v")));
    aggregates.put("last", new Aggregate.Last(new Pointer("/w")));
    Event event =
        Samples.event(Samples.policy(CSV, Clock.EVENT_TIME, MINUTES, aggregates), raw(record));
    assertThat(event.key(), is(new EventKey(List.of(key))));
    assertThat(event.timestamp(), is(Instant.parse(TIME)));
    assertThat(event.values(), contains(is(sum), is(last)));
  }

  @Test
  void aTrailingCellMayBeMissing() {
    var record = raw("a;" + TIME + ";1");
    Policy policy = Samples.policy(CSV, Clock.EVENT_TIME, MINUTES);
    assertThat(Samples.event(policy, record).values(), contains(nullValue(), is(number("1"))));
  }

  @ParameterizedTest
  @CsvSource({"2026-06-01T00:00:00Z", "2026-06-28T23:59:59.999Z", "2026-07-01T00:00:00Z"})
  void aTimeInAReportingPeriodIsAnEvent(String time) {
    Policy policy = Samples.policy(JSON, Clock.EVENT_TIME, DeadLetterReasonsTest.calendar());
    var record = raw("{\"k\":\"a\",\"v\":1,\"t\":\"" + time + "\"}");
    assertThat(Samples.event(policy, record).timestamp(), is(Instant.parse(time)));
  }

  private static Scalar text(String value) {
    return new Scalar.Text(value);
  }

  private static Scalar number(String value) {
    return new Scalar.Num(new BigDecimal(value));
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }
}
