package dev.tidemark.pipelines.simulate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptTest {
  private static final Instant START = Instant.parse("2026-07-04T12:00:00Z");
  private static final String EVENT_TIME =
      """
      metric: m
      version: "1"
      timestamp: /t
      key: {}
      window: {fixed: {size: 1m}}
      aggregates: {n: count}
      watermark: {maxOutOfOrderness: 5s}
      """;

  @TempDir private Path folder;

  @Test
  void theWatermarkStaysBehindTheHighestTimestampAndNeverFalls() throws Exception {
    List<Step> steps =
        read(
            EVENT_TIME,
            "{\"t\":\"2026-07-04T10:00:10Z\"}",
            "{\"t\":\"2026-07-04T10:00:30Z\"}",
            "{\"t\":\"2026-07-04T10:00:20Z\"}",
            "{\"@watermark\":\"2026-07-04T10:01:00Z\"}",
            "{\"t\":\"2026-07-04T10:00:50Z\"}");

    assertThat(
        steps.stream().limit(5).map(step -> step.watermark().toString()).toList(),
        contains(
            "2026-07-04T10:00:05.000Z",
            "2026-07-04T10:00:25.000Z",
            "2026-07-04T10:00:25.000Z",
            "2026-07-04T10:01:00.000Z",
            "2026-07-04T10:01:00.000Z"));
    assertThat(steps.get(5).isEnd(), is(true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not JSON         | {\"t\":",
        "no timestamp     | {\"x\":1}",
        "ahead of the clock | {\"t\":\"2026-07-04T12:05:01Z\"}",
      })
  void aDeadLetterDoesNotMoveTheWatermark(String why, String line) throws Exception {
    List<Step> steps = read(EVENT_TIME, "{\"t\":\"2026-07-04T10:00:10Z\"}", line);

    assertThat(why, steps.get(1).watermark(), is(steps.get(0).watermark()));
  }

  @Test
  void passingTimeMovesTheWallClockOfLaterLines() throws Exception {
    String processingTime = EVENT_TIME.replace("timestamp: /t", "clock: processing-time");

    List<Step> steps = read(processingTime, "{}", "{\"@processingTime\":\"10s\"}", "{}");

    assertThat(steps.get(0).eventTime(), is(START));
    assertThat(steps.get(2).eventTime(), is(START.plus(Duration.standardSeconds(10))));
    assertThat(steps.get(2).arrival().arrivedAt(), is(START.plus(Duration.standardSeconds(10))));
  }

  @Test
  void recordsAreTheBytesOfTheirLinesAndKnowTheirPlace() throws Exception {
    List<Step> steps = read(EVENT_TIME, "ab\r", "", "\u00e9");

    String file = folder.resolve("events.ndjson").toString();
    assertThat(
        steps.stream().limit(2).map(Step::arrival).toList(),
        contains(record("ab", file, 0, 1), record("\u00e9", file, 5, 3)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"@watermark\":\"2026-07-04T10:00:04Z\"} | never backwards, so at least 2026-07-04T10:00:05",
        "{\"@watermark\":\"noon\"}                 | @watermark is noon; allowed: ISO-8601",
        "{\"@watermark\":\"2026-07-04T10:00:00\"}  | with an offset",
        "{\"@processingTime\":\"soon\"}            | @processingTime is soon; allowed: a duration",
        "{\"@processingTime\":\"0s\"}              | above zero",
        "{\"@processingTime\":\"1H\"}              | @processingTime is 1H; allowed",
        "{\"@processingTime\":\"9999999999999d\"} | below 36525d",
        "{\"@processingTime\":\"-1s\"}             | above zero",
        "{\"@processingTime\":10}                  | @processingTime is 10; allowed: a duration",
      })
  void aWrongDirectiveIsRefusedWithItsPlace(String line, String problem) {
    UsageException refused =
        assertThrows(
            UsageException.class, () -> read(EVENT_TIME, "{\"t\":\"2026-07-04T10:00:10Z\"}", line));

    assertThat(refused.getMessage(), containsString("events.ndjson:2: "));
    assertThat(refused.getMessage(), containsString(problem));
  }

  @Test
  void anEventThatHoldsMoreThanADirectiveIsAnEvent() throws Exception {
    List<Step> steps = read(EVENT_TIME, "{\"@watermark\":\"noon\",\"t\":\"2026-07-04T10:00:10Z\"}");

    assertThat(steps.get(0).eventTime(), is(Instant.parse("2026-07-04T10:00:10Z")));
  }

  private static RawRecord record(String text, String file, long offset, long line) {
    return new RawRecord(
        text.getBytes(StandardCharsets.UTF_8), new Origin.FileLine(file, offset, line), START);
  }

  private List<Step> read(String policy, String... lines)
      throws IOException, PolicyException, UsageException {
    Path file = Files.write(folder.resolve("events.ndjson"), List.of(lines));
    return Script.read(file.toString(), PolicyLoader.parse(policy, "policy.yaml"), START);
  }
}
