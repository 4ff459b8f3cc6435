package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResultJsonTest {
  private static final Policy POLICY =
      SampleResults.policy(SampleResults.FIXED, Accumulation.ACCUMULATING);

  @Test
  void aLineHasTheFieldsOfTheContractInItsOrderAndDecimalsInPlainNotation() {
    assertThat(
        ResultJson.line(POLICY, SampleResults.result(SampleResults.WINDOW, SampleResults.values())),
        is(
            "{\"metric\":\"revenue-per-store\",\"key\":{\"store_id\":\"s-1\",\"till\":7},"
                + "\"windowStart\":\"2026-07-04T10:00:00.000Z\","
                + "\"windowEnd\":\"2026-07-04T10:05:00.000Z\",\"windowType\":\"FIXED\","
                + "\"clock\":\"EVENT_TIME\",\"resultKind\":\"LATE_UPDATE\",\"firingSequence\":2,"
                + "\"isLast\":false,\"watermarkAtComputation\":\"2026-07-04T10:05:00.000Z\","
                + "\"computedAt\":\"2026-07-04T10:06:07.089Z\",\"policyVersion\":\"3\","
                + "\"resultId\":\"a8e9e5deee3aba92c89c0b0796b4ffc7\",\"value\":{"
                + "\"orders\":3,\"revenue\":547.50,\"least\":1000,\"most\":0.000000001,"
                + "\"mean\":182.5,\"p99\":0.1,\"buyers\":2,\"span\":1500,"
                + "\"first\":\"a \\\"b\\\"\",\"last\":true,"
                + "\"top\":[{\"value\":\"x\",\"count\":2},{\"value\":1.50,\"count\":1}]}}"));
  }

  @Test
  void whatTheGlobalWindowAndAnEmptyPaneDoNotHaveIsNull() {
    Policy policy = SampleResults.policy(new Windowing.Global(), Accumulation.ACCUMULATING);
    WindowResult result = SampleResults.result(null, SampleResults.noValues());

    assertThat(
        ResultJson.line(policy, result),
        is(
            "{\"metric\":\"revenue-per-store\",\"key\":{\"store_id\":\"s-1\",\"till\":7},"
                + "\"windowStart\":null,\"windowEnd\":null,\"windowType\":\"GLOBAL\","
                + "\"clock\":\"EVENT_TIME\",\"resultKind\":\"LATE_UPDATE\",\"firingSequence\":2,"
                + "\"isLast\":false,\"watermarkAtComputation\":null,"
                + "\"computedAt\":\"2026-07-04T10:06:07.089Z\",\"policyVersion\":\"3\","
                + "\"resultId\":\""
                + ResultJson.resultId(policy, result)
                + "\",\"value\":{\"orders\":0,\"revenue\":0,\"least\":null,\"most\":null,"
                + "\"mean\":null,\"p99\":null,\"buyers\":0,\"span\":null,\"first\":null,"
                + "\"last\":null,\"top\":[]}}"));
  }

  @Test
  void whatOnlySomeResultsHaveFollowsTheValue() {
    Policy policy = SampleResults.policy(SampleResults.PERIODS, Accumulation.DISCARDING);

    assertThat(
        ResultJson.line(policy, SampleResults.fullResult()),
        endsWith(
            "\"count\":1}]},\"periodId\":\"2026-P07\",\"calendarVersion\":\"v2\","
                + "\"supersedes\":[{\"windowStart\":\"2026-07-04T09:58:00.000Z\","
                + "\"windowEnd\":\"2026-07-04T10:03:00.000Z\"}],\"accumulation\":\"DISCARDING\","
                + "\"accumulators\":\"QUJD\",\"corrects\":[\"0a\",\"0b\"]}"));
  }

  @Test
  void aResultFromBeforeAggregatesWereAddedHasTheFirstOnes() {
    assertThat(
        ResultJson.line(
            POLICY,
            SampleResults.result(SampleResults.WINDOW, SampleResults.values().subList(0, 2))),
        endsWith("\"value\":{\"orders\":3,\"revenue\":547.50}}"));
  }

  @Test
  void aTooLateLineHasTheRawRecordAndWhereItCameFrom() {
    RawRecord raw =
        new RawRecord(
            "{\"v\": 1}".getBytes(StandardCharsets.UTF_8),
            new Origin.FileLine("/in/a.ndjson", 120, 7L),
            Instant.parse("2026-07-04T11:00:00Z"));
    Event event =
        new Event(SampleResults.key(), Instant.parse("2026-07-04T10:01:00Z"), List.of(), raw);

    assertThat(
        ResultJson.line(POLICY, new TooLateEvent(event, SampleResults.WINDOW)),
        is(
            "{\"metric\":\"revenue-per-store\",\"key\":{\"store_id\":\"s-1\",\"till\":7},"
                + "\"windowStart\":\"2026-07-04T10:00:00.000Z\","
                + "\"windowEnd\":\"2026-07-04T10:05:00.000Z\","
                + "\"eventTime\":\"2026-07-04T10:01:00.000Z\","
                + "\"arrivedAt\":\"2026-07-04T11:00:00.000Z\",\"policyVersion\":\"3\","
                + "\"event\":\"{\\\"v\\\": 1}\","
                + "\"source\":{\"file\":\"/in/a.ndjson\",\"line\":7,\"offset\":120}}"));
  }

  @Test
  void theIdOfAResultDiffersWithEachPartOfItsIdentity() {
    Map<String, Pointer> key = POLICY.key();
    Map<String, Pointer> otherNames = new LinkedHashMap<>();
    otherNames.put("store", new Pointer("/store_id"));
    otherNames.put("till", new Pointer("/till"));
    WindowResult result = SampleResults.result(SampleResults.WINDOW, SampleResults.values());
    Scalar seven = new Scalar.Num(BigDecimal.valueOf(7));

    List<String> ids =
        List.of(
            ResultJson.resultId(POLICY, result),
            ResultJson.resultId(policy("other-metric", "3", key), result),
            ResultJson.resultId(policy("revenue-per-store", "4", key), result),
            ResultJson.resultId(policy("revenue-per-store", "3", otherNames), result),
            id(key("s-1", new Scalar.Text("7")), SampleResults.WINDOW, ResultKind.LATE_UPDATE, 2),
            id(key("s-2", seven), SampleResults.WINDOW, ResultKind.LATE_UPDATE, 2),
            id(key("s-1", seven), SampleResults.EARLIER, ResultKind.LATE_UPDATE, 2),
            id(key("s-1", seven), null, ResultKind.LATE_UPDATE, 2),
            id(
                key("s-1", seven),
                new ResultWindow(
                    SampleResults.WINDOW.start(),
                    SampleResults.WINDOW.end().plus(Duration.millis(1))),
                ResultKind.LATE_UPDATE,
                2),
            id(key("s-1", seven), SampleResults.WINDOW, ResultKind.RETRACTION, 2),
            id(key("s-1", seven), SampleResults.WINDOW, ResultKind.LATE_UPDATE, 3));

    Set<String> different = new HashSet<>(ids);
    assertThat(different, hasSize(ids.size()));
  }

  @Test
  void theIdOfAResultDependsOnNothingElse() {
    WindowResult full = SampleResults.fullResult();

    assertThat(
        ResultJson.resultId(POLICY, full),
        is(id(SampleResults.key(), SampleResults.WINDOW, ResultKind.CORRECTION, 3)));
  }

  private static String id(
      EventKey key, @Nullable ResultWindow window, ResultKind kind, long firingSequence) {
    return ResultJson.resultId(POLICY, key, window, kind, firingSequence);
  }

  private static EventKey key(String store, Scalar till) {
    return new EventKey(List.of(new Scalar.Text(store), till));
  }

  private static Policy policy(String metric, String version, Map<String, Pointer> key) {
    Map<String, Aggregate> aggregates = POLICY.aggregates();
    return SampleResults.policy(
        metric, version, key, SampleResults.FIXED, Accumulation.ACCUMULATING, aggregates);
  }
}
