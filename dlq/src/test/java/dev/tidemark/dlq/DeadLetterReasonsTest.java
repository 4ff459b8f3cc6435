package dev.tidemark.dlq;

import static dev.tidemark.dlq.Samples.CSV;
import static dev.tidemark.dlq.Samples.JSON;
import static dev.tidemark.dlq.Samples.MINUTES;
import static dev.tidemark.dlq.Samples.raw;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.sameInstance;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tidemark.event.RawRecord;
import dev.tidemark.policy.Clock;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.Windowing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way a record can be bad, with the reason and the message that it gets. */
class DeadLetterReasonsTest {
  private static final String JSON_ALLOWED = "; allowed: one JSON object in UTF-8";
  private static final String CSV_ALLOWED = "; allowed: one line of at most 4 cells in UTF-8";
  private static final String TIME_ALLOWED =
      "; allowed: ISO-8601 text with an offset, or whole epoch milliseconds,"
          + " in the years 1 to 9999";
  private static final String NUMBER_ALLOWED =
      "; allowed: a number of at most 400 digits, with an exponent from -400 to 400";
  private static final String SCALAR_ALLOWED =
      "; allowed: well-formed text, true, false, or a number of at most 400 digits,"
          + " with an exponent from -400 to 400";

  static Stream<Arguments> badJson() {
    return Stream.of(
        bad("", Reason.NOT_JSON, "the record is empty" + JSON_ALLOWED),
        bad(" ", Reason.NOT_JSON, "the record is empty" + JSON_ALLOWED),
        bad("not json", Reason.NOT_JSON, "malformed at line 1, column 1" + JSON_ALLOWED),
        bad("{\"k\":\"a\"", Reason.NOT_JSON, "malformed at line 1, column 9" + JSON_ALLOWED),
        bad("{\"x\":[1}", Reason.NOT_JSON, "malformed at line 1, column 8" + JSON_ALLOWED),
        bad("{\"x\":NaN}", Reason.NOT_JSON, "malformed at line 1, column 9" + JSON_ALLOWED),
        bad("{\"x\":-Infinity}", Reason.NOT_JSON, "malformed at line 1, column 15" + JSON_ALLOWED),
        bad("{\"x\":01}", Reason.NOT_JSON, "malformed at line 1, column 7" + JSON_ALLOWED),
        bad("{\"x\":\"\0\"}", Reason.NOT_JSON, "malformed at line 1, column 7" + JSON_ALLOWED),
        bad("{} {}", Reason.NOT_JSON, "the record goes on after its end" + JSON_ALLOWED),
        bad("{}]", Reason.NOT_JSON, "malformed at line 1, column 3" + JSON_ALLOWED),
        bad("[1,2", Reason.NOT_JSON, "malformed at line 1, column 5" + JSON_ALLOWED),
        bad("\"open", Reason.NOT_JSON, "malformed at line 1, column 6" + JSON_ALLOWED),
        bad("[1,2]", Reason.NOT_AN_OBJECT, "the record is an array; allowed: a JSON object"),
        bad("7", Reason.NOT_AN_OBJECT, "the record is a scalar; allowed: a JSON object"),
        bad("null", Reason.NOT_AN_OBJECT, "the record is a scalar; allowed: a JSON object"),
        bad(nested(1_001), Reason.TOO_LARGE, "the record is nested deeper than 1000 levels"),
        bad(nested(10_000), Reason.TOO_LARGE, "the record is nested deeper than 1000 levels"),
        badTime("null", Reason.MISSING_TIMESTAMP, "missing or null"),
        bad("{}", Reason.MISSING_TIMESTAMP, "/t is missing or null" + TIME_ALLOWED),
        badTime("\"yesterday\"", Reason.BAD_TIMESTAMP, "\"yesterday\""),
        badTime("true", Reason.BAD_TIMESTAMP, "true"),
        badTime("{}", Reason.BAD_TIMESTAMP, "an object"),
        badTime("1.5", Reason.BAD_TIMESTAMP, "1.5"),
        badTime("\"1783159200000\"", Reason.BAD_TIMESTAMP, "\"1783159200000\""),
        badTime("1e300", Reason.BAD_TIMESTAMP, "1E+300"),
        badTime("1e999999999", Reason.BAD_TIMESTAMP, "1e999999999"),
        badTime("\"2026-07-04T10:00:00\"", Reason.BAD_TIMESTAMP, "\"2026-07-04T10:00:00\""),
        badTime("\"2026-07-04\"", Reason.BAD_TIMESTAMP, "\"2026-07-04\""),
        badTime("\"2026-02-30T10:00:00Z\"", Reason.BAD_TIMESTAMP, "\"2026-02-30T10:00:00Z\""),
        badTime("\"2026-07-04T23:59:60Z\"", Reason.BAD_TIMESTAMP, "\"2026-07-04T23:59:60Z\""),
        badTime("\"2026-07-04T24:00:00Z\"", Reason.BAD_TIMESTAMP, "\"2026-07-04T24:00:00Z\""),
        badTime(
            "\"+292278994-01-01T00:00:00Z\"",
            Reason.BAD_TIMESTAMP,
            "\"+292278994-01-01T00:00:00Z\""),
        badTime("\"-0001-01-01T00:00:00Z\"", Reason.BAD_TIMESTAMP, "\"-0001-01-01T00:00:00Z\""),
        badTime("9223372036854775807", Reason.BAD_TIMESTAMP, "9223372036854775807"),
        badTime("-62135596800001", Reason.BAD_TIMESTAMP, "-62135596800001"),
        badTime("253402300800000", Reason.BAD_TIMESTAMP, "253402300800000"),
        bad(
            "{\"k\":\"a\",\"t\":\"2026-07-04T12:05:00.001Z\",\"v\":1}",
            Reason.FUTURE_TIMESTAMP,
            "/t is 2026-07-04T12:05:00.001Z; allowed: at most PT300S after"
                + " 2026-07-04T12:00:00.000Z"),
        bad(with("\"x\":1"), Reason.MISSING_KEY, "/k is missing or null" + SCALAR_ALLOWED),
        bad(with("\"k\":null"), Reason.MISSING_KEY, "/k is missing or null" + SCALAR_ALLOWED),
        bad(with("\"k\":{\"x\":1}"), Reason.BAD_KEY, "/k is an object" + SCALAR_ALLOWED),
        bad(with("\"k\":[1]"), Reason.BAD_KEY, "/k is an array" + SCALAR_ALLOWED),
        bad(
            with("\"k\":\"\\ud800\""),
            Reason.BAD_KEY,
            "/k is text with a lone surrogate" + SCALAR_ALLOWED),
        bad(with("\"k\":1e401"), Reason.BAD_KEY, "/k is 1e401" + SCALAR_ALLOWED),
        bad(with("\"k\":\"a\""), Reason.MISSING_FIELD, "/v is missing or null" + NUMBER_ALLOWED),
        bad(
            with("\"k\":\"a\",\"v\":null"),
            Reason.MISSING_FIELD,
            "/v is missing or null" + NUMBER_ALLOWED),
        badValue("\"7\"", "\"7\""),
        badValue("true", "true"),
        badValue("[1]", "an array"),
        badValue("\"\\udc00\"", "text with a lone surrogate"),
        badValue("1e999999999", "1e999999999"),
        badValue("1e99999999999", "1e99999999999"),
        badValue("1e-401", "1e-401"),
        badValue("7".repeat(401), "7".repeat(80) + "…"),
        badValue("7".repeat(10_000), "7".repeat(80) + "…"),
        badValue("\"" + "x".repeat(1_000) + "\"", "\"" + "x".repeat(80) + "…\""),
        badValue("\"" + "x".repeat(79) + "😀\"", "\"" + "x".repeat(79) + "?…\""));
  }

  @ParameterizedTest
  @MethodSource("badJson")
  void aBadJsonRecordHasItsReason(String record, Reason reason, String message) {
    assertDeadLetter(Samples.policy(), raw(record), reason, message);
  }

  static Stream<Arguments> badCsv() {
    String time = "2026-07-04T10:00:00Z";
    return Stream.of(
        bad("", Reason.NOT_CSV, "the record is empty" + CSV_ALLOWED),
        bad("a;" + time + ";1;x;", Reason.NOT_CSV, "malformed at line 1, column 27" + CSV_ALLOWED),
        bad("a;" + time + ";1;x;y", Reason.NOT_CSV, "malformed at line 1, column 28" + CSV_ALLOWED),
        bad("\"a;1", Reason.NOT_CSV, "malformed at line 1, column 5" + CSV_ALLOWED),
        bad("\"a\"b;1", Reason.NOT_CSV, "malformed at line 1, column 5" + CSV_ALLOWED),
        bad("a;1\nb;2", Reason.NOT_CSV, "the record goes on after its end" + CSV_ALLOWED),
        bad("a", Reason.MISSING_TIMESTAMP, "/t is missing or null" + TIME_ALLOWED),
        bad("a;;1", Reason.MISSING_TIMESTAMP, "/t is missing or null" + TIME_ALLOWED),
        bad("a;\"\";1", Reason.BAD_TIMESTAMP, "/t is \"\"" + TIME_ALLOWED),
        bad("a;1.5;1", Reason.BAD_TIMESTAMP, "/t is \"1.5\"" + TIME_ALLOWED),
        bad(
            "a;9999999999999999999;1",
            Reason.BAD_TIMESTAMP,
            "/t is \"9999999999999999999\"" + TIME_ALLOWED),
        bad(";" + time + ";1", Reason.MISSING_KEY, "/k is missing or null" + SCALAR_ALLOWED),
        bad("a;" + time, Reason.MISSING_FIELD, "/v is missing or null" + NUMBER_ALLOWED),
        bad("a;" + time + ";x", Reason.BAD_FIELD, "/v is \"x\"" + NUMBER_ALLOWED),
        bad("a;" + time + ";NaN", Reason.BAD_FIELD, "/v is \"NaN\"" + NUMBER_ALLOWED),
        bad(
            "a;" + time + ";1e999999999",
            Reason.BAD_FIELD,
            "/v is \"1e999999999\"" + NUMBER_ALLOWED));
  }

  @ParameterizedTest
  @MethodSource("badCsv")
  void aBadCsvRecordHasItsReason(String record, Reason reason, String message) {
    assertDeadLetter(Samples.policy(CSV, Clock.EVENT_TIME, MINUTES), raw(record), reason, message);
  }

  @Test
  void bytesThatAreNotUtf8AreNamedByTheirPosition() {
    byte[] record = "{\"x\":\"ä\"}".getBytes(StandardCharsets.ISO_8859_1);
    byte[] overlong = {'{', '"', (byte) 0xC0, (byte) 0x80, '"', ':', '1', '}'};
    String problem = "not UTF-8 at byte ";

    assertDeadLetter(Samples.policy(), raw(record), Reason.NOT_JSON, problem + 6 + JSON_ALLOWED);
    assertDeadLetter(Samples.policy(), raw(overlong), Reason.NOT_JSON, problem + 2 + JSON_ALLOWED);
    assertDeadLetter(
        Samples.policy(CSV, Clock.EVENT_TIME, MINUTES),
        raw(record),
        Reason.NOT_CSV,
        problem + 6 + CSV_ALLOWED);
  }

  @Test
  void anotherEncodingIsNotGuessed() {
    RawRecord record = raw("{}".getBytes(StandardCharsets.UTF_16LE));
    assertThat(Samples.deadLetter(Samples.policy(), record).reason(), is(Reason.NOT_JSON));
  }

  @Test
  void aRecordOfMoreThanTenMebibytesIsTooLarge() {
    assertDeadLetter(
        Samples.policy(),
        raw(new byte[(10 << 20) + 1]),
        Reason.TOO_LARGE,
        "the record has 10485761 bytes; at most 10485760 are allowed");
  }

  @Test
  void aTimeOfArrivalAheadOfTheClockIsInTheFuture() {
    RawRecord late = raw("{\"k\":\"a\",\"v\":1}");
    RawRecord ahead =
        new RawRecord(late.bytes(), late.origin(), Instant.parse("2026-07-04T13:00:00Z"));
    assertDeadLetter(
        Samples.policy(JSON, Clock.INGESTION_TIME, MINUTES),
        ahead,
        Reason.FUTURE_TIMESTAMP,
        "the time of arrival is 2026-07-04T13:00:00.000Z; allowed: at most PT300S after"
            + " 2026-07-04T12:00:00.000Z");
  }

  static Stream<Arguments> timesInNoPeriod() {
    return Stream.of(
        arguments("2026-05-31T23:59:59.999Z"), // before the first
        arguments("2026-06-29T00:00:00.000Z"), // between two; the end is not inside
        arguments("2026-07-04T11:00:00.000Z")); // after the last
  }

  @ParameterizedTest
  @MethodSource("timesInNoPeriod")
  void aTimeInNoReportingPeriodIsADeadLetter(String time) {
    assertDeadLetter(
        Samples.policy(JSON, Clock.EVENT_TIME, calendar()),
        raw("{\"k\":\"a\",\"t\":\"" + time + "\",\"v\":1}"),
        Reason.NO_PERIOD,
        "/t is " + time + "; allowed: a time in one of the periods of periods.csv");
  }

  @Test
  void onlyAnErrorOfTheParsingLibraryComesWithAStackTrace() {
    String open = "{\"" + "x".repeat(100_000);
    DeadLetter malformed = Samples.deadLetter(Samples.policy(), raw(open));
    List<String> frames =
        malformed.exception().lines().filter(line -> line.startsWith("\tat ")).toList();
    assertThat(frames.get(0), startsWith("\tat com.fasterxml.jackson.core"));
    assertThat(frames.size(), lessThanOrEqualTo(9));
    assertThat(
        frames.stream().filter(frame -> frame.contains("dev.tidemark")).toList(),
        contains(startsWith("\tat dev.tidemark.dlq.FieldReader.")));
    assertThat(malformed.exception().length(), lessThanOrEqualTo(4_096));
    assertThat(Samples.deadLetter(Samples.policy(), raw("[]")).exception(), is(nullValue()));
  }

  static Windowing calendar() {
    return new Windowing.ReportingCalendar(
        "periods.csv",
        List.of(
            period("P1", "2026-06-01T00:00:00Z", "2026-06-29T00:00:00Z"),
            period("P2", "2026-07-01T00:00:00Z", "2026-07-04T11:00:00Z")));
  }

  private static ReportingPeriod period(String id, String start, String end) {
    return new ReportingPeriod(id, Instant.parse(start), Instant.parse(end), "v1");
  }

  private static void assertDeadLetter(
      Policy policy, RawRecord raw, Reason reason, String message) {
    DeadLetter deadLetter = Samples.deadLetter(policy, raw);
    assertThat(deadLetter.message(), is(message));
    assertThat(deadLetter.reason(), is(reason));
    assertThat(deadLetter.raw(), is(sameInstance(raw)));
    assertThat(deadLetter.metric(), is("sample"));
    assertThat(deadLetter.policyVersion(), is("3"));
    assertThat(deadLetter.attempts(), is(1));
  }

  private static Arguments bad(String record, Reason reason, String message) {
    return arguments(record, reason, message);
  }

  private static Arguments badTime(String json, Reason reason, String shown) {
    return arguments("{\"t\":" + json + "}", reason, "/t is " + shown + TIME_ALLOWED);
  }

  private static Arguments badValue(String json, String shown) {
    return arguments(
        with("\"k\":\"a\",\"v\":" + json), Reason.BAD_FIELD, "/v is " + shown + NUMBER_ALLOWED);
  }

  private static String with(String fields) {
    return "{\"t\":\"2026-07-04T10:00:00Z\"," + fields + "}";
  }

  private static String nested(int depth) {
    return "{\"x\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";
  }
}
