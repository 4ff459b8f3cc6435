package dev.tidemark.transforms.reconcile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowResultCoder;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.util.CoderUtils;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultLineTest {
  private static final String POLICY =
      """
      metric: m
      version: "1"
      timestamp: /t
      key: {text: /a, number: /b, truth: /c}
      window: {fixed: {size: 1m}}
      accumulation: discarding
      aggregates: {n: count, total: {sum: /v}, none: {min: /v}, top: {top: {of: /s, n: 2}}}
      """;
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final ResultWindow WINDOW =
      new ResultWindow(START, START.plus(Duration.standardMinutes(1)));

  @Test
  void aResultIsReadBackAsItWas() throws PolicyException {
    Policy policy = PolicyLoader.parse(POLICY, "policy.yaml");
    WindowResult result = result(WINDOW, policy);

    ResultLine line = ResultLine.parse(ResultJson.line(policy, result));

    assertThat(line.result(), is(result));
    assertThat(line.resultId(), is(ResultJson.resultId(policy, result)));
    line.checkMadeBy(policy);
  }

  @Test
  void theGlobalWindowIsReadBack() throws PolicyException {
    Policy policy = PolicyLoader.parse(POLICY, "policy.yaml");
    WindowResult result = result(null, policy);
    assertThat(ResultLine.parse(ResultJson.line(policy, result)).result(), is(result));
  }

  @Test
  void theCodersKeepEverything() throws Exception {
    Policy policy = PolicyLoader.parse(POLICY, "policy.yaml");
    WindowResult result = result(WINDOW, policy);
    ResultLine line = ResultLine.parse(ResultJson.line(policy, result));
    assertThat(CoderUtils.clone(WindowResultCoder.of(), result), is(result));
    assertThat(CoderUtils.clone(ResultLineCoder.of(), line), is(line));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"metric\":\"m\" | {\"metric\":5 | metric is not allowed; allowed: text",
        "\"firingSequence\":2 | \"firingSequence\":-2 | firingSequence is not allowed",
        "\"firingSequence\":2 | \"firingSequence\":2.5 | firingSequence is not allowed",
        "\"resultKind\":\"CORRECTION\" | \"resultKind\":\"LATE\" | resultKind is not allowed",
        "\"resultId\" | \"id\" | resultId is missing",
        "10:01:00.000Z\",\"windowType | 09:00:00.000Z\",\"windowType | the window's end is not",
        "\"windowEnd\" | \"windowEnds\" | windowEnd is missing",
        "\"n\":3 | \"n\":{} | value.n is not allowed",
        "\"text\":\"x\" | \"text\":null | key.text is not allowed",
        "\"corrects\":[\"x\"] | \"corrects\":[1] | corrects is not allowed",
        "\"isLast\":false | \"isLast\":0 | isLast is not allowed",
        "\"x\"]} | \"x\"] | not one well-formed JSON object",
        "\"x\"]} | \"x\"]}{} | not one well-formed JSON object",
      })
  void aWrongFieldIsNamed(String from, String to, String problem) throws PolicyException {
    Policy policy = PolicyLoader.parse(POLICY, "policy.yaml");
    String line = ResultJson.line(policy, result(WINDOW, policy));
    assertThat(line, containsString(from));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> ResultLine.parse(line.replace(from, to)));
    assertThat(refused.getMessage(), startsWith(problem));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "version: \"1\" | version: \"2\" | policyVersion is 1, but the policy's is 2",
        "truth: /c | truths: /c | key is [text, number, truth]",
        "n: count | count: count | value is [n, total, none, top]",
        "fixed: {size: 1m} | sessions: {gap: 1m} | windowType is FIXED",
        "discarding | accumulating | discarding is true",
        "{min: /v} | {quantile: {of: /v, q: 0.5}} | not accumulators of these aggregates",
      })
  void aLineOfAnotherPolicyIsToldApart(String from, String to, String problem)
      throws PolicyException {
    Policy policy = PolicyLoader.parse(POLICY, "policy.yaml");
    Policy other = PolicyLoader.parse(POLICY.replace(from, to), "policy.yaml");
    ResultLine line = ResultLine.parse(ResultJson.line(policy, result(WINDOW, policy)));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> line.checkMadeBy(other));
    assertThat(refused.getMessage(), startsWith(problem));
  }

  private static WindowResult result(@Nullable ResultWindow window, Policy policy) {
    List<@Nullable AggregateValue> values =
        Arrays.asList(
            single("3"),
            single("547.50"),
            null,
            new AggregateValue.Ranking(
                List.of(new AggregateValue.Counted(new Scalar.Bool(true), 2))));
    AccumulatorsCoder coder = AccumulatorsCoder.of(policy.aggregateList());
    return new WindowResult(
        new EventKey(
            List.of(
                new Scalar.Text("x"),
                new Scalar.Num(new BigDecimal("1.5")),
                new Scalar.Bool(true))),
        window,
        ResultKind.CORRECTION,
        2,
        false,
        window == null ? null : window.end(),
        START,
        values,
        List.of(),
        coder.toBase64(Accumulators.empty(policy.aggregateList())),
        List.of("x"));
  }

  private static AggregateValue single(String number) {
    return new AggregateValue.Single(new Scalar.Num(new BigDecimal(number)));
  }
}
