package dev.tidemark.policy;

import static dev.tidemark.policy.PolicyExamples.policy;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyChangesTest {
  private static final String HEADER = "periodId,start,end,zone,calendarVersion\n";
  private static final String JULY = "P07,2026-07-01,2026-08-01,UTC,v1\n";
  private static final String AUGUST = "P08,2026-08-01,2026-09-01,UTC,v1\n";
  private static final String CALENDAR = "window: {calendar: {periods: periods.csv}}";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version: \"2\"",
        "format: {csv: {columns: [t, k]}}",
        "trigger: {early: {every: 10s}}",
        "trigger: {early: {count: 5}, late: {every: 1m}}",
        "allowedLateness: 0s",
        "allowedLateness: 9m",
        "tooLate: drop-and-count",
        "watermark: {maxOutOfOrderness: 1h, idleAfter: 2h, maxFutureSkew: 1s}",
        "aggregates: {n: count, more: {max: /v}, most: elapsed}"
      })
  void whatIsNotInTheStateMayChange(String line) throws Exception {
    assertThat(problems(policy("allowedLateness: 10m"), policy(line)), is(List.of()));
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(
            "window: {fixed: {size: 10m}}",
            "5: window: the job in S has {fixed: {size: 5m, offset: 0s}}, this is {fixed: {size:"
                + " 10m, offset: 0s}}; allowed: the same"),
        Arguments.of(
            "window: {fixed: {size: 5m, offset: 1m}}",
            "5: window: the job in S has {fixed: {size: 5m, offset: 0s}}, this is {fixed: {size:"
                + " 5m, offset: 1m}}; allowed: the same"),
        Arguments.of(
            "window: {sessions: {gap: 5m}}",
            "5: window: the job in S has {fixed: {size: 5m, offset: 0s}}, this is {sessions: {gap:"
                + " 5m}}; allowed: the same"),
        Arguments.of(
            "key: {k: /other}",
            "4: key: the job in S has {k: /k}, this is {k: /other}; allowed: the same"),
        Arguments.of(
            "key: {other: /k}",
            "4: key: the job in S has {k: /k}, this is {other: /k}; allowed: the same"),
        Arguments.of("key: {}", "4: key: the job in S has {k: /k}, this is {}; allowed: the same"),
        Arguments.of(
            "timestamp: /other",
            "3: timestamp: the job in S has /t, this is /other; allowed: the same"),
        Arguments.of(
            "clock: business-effective-time",
            "7: clock: the job in S has event-time, this is business-effective-time; allowed: the"
                + " same"),
        Arguments.of(
            "accumulation: discarding",
            "7: accumulation: the job in S has accumulating, this is discarding; allowed: the same"),
        Arguments.of(
            "allowedLateness: 1ms",
            "7: allowedLateness: the job in S has 0s, this is 1ms; allowed: as long or less"),
        Arguments.of(
            "aggregates: {n: elapsed}",
            "6: aggregates: the job in S has n: count, this is n: elapsed; allowed: the same in"
                + " their order, and others behind them"),
        Arguments.of(
            "aggregates: {m: count}",
            "6: aggregates: the job in S has n: count, this is m: count; allowed: the same in"
                + " their order, and others behind them"),
        Arguments.of(
            "aggregates: {more: elapsed, n: count}",
            "6: aggregates: the job in S has n: count, this is more: elapsed; allowed: the same in"
                + " their order, and others behind them"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatDecidesKeyWindowAndValueMustStay(String line, String problem) throws Exception {
    assertThat(
        problems(policy(), policy(line)),
        is(List.of(file() + ":" + problem + ", or a start without its state")));
  }

  @Test
  void theOrderOfKeyFieldsIsPartOfTheKey() throws Exception {
    assertThat(
        problems(policy("key: {a: /a, b: /b}"), policy("key: {b: /b, a: /a}")),
        is(
            List.of(
                file()
                    + ":4: key: the job in S has {a: /a, b: /b}, this is {b: /b, a: /a}; allowed:"
                    + " the same, or a start without its state")));
  }

  @Test
  void anAggregateCannotGo() throws Exception {
    assertThat(
        problems(policy("aggregates: {n: count, top: {top: {of: /v, n: 3}}}"), policy()),
        is(
            List.of(
                file()
                    + ":6: aggregates: the job in S has top: {top: {of: /v, n: 3}}, this is none;"
                    + " allowed: the same in their order, and others behind them, or a start"
                    + " without its state")));
  }

  @Test
  void aFieldThatTheFileLeavesOutIsSaidOfTheWhole() throws Exception {
    assertThat(
        problems(policy("accumulation: retracting"), policy()),
        is(
            List.of(
                file()
                    + ":1: accumulation: the job in S has retracting, this is accumulating;"
                    + " allowed: the same, or a start without its state")));
  }

  @Test
  void aCalendarMayGetPeriods() throws Exception {
    assertThat(calendarProblems(HEADER + JULY, HEADER + JULY + AUGUST), is(List.of()));
  }

  @Test
  void thePeriodsOfACalendarStay() throws Exception {
    assertThat(
        calendarProblems(HEADER + JULY + AUGUST, HEADER + AUGUST),
        is(
            List.of(
                file()
                    + ":5: window: the job in S has {reportingPeriod: {id: P07, start:"
                    + " 2026-07-01T00:00:00.000Z, end: 2026-08-01T00:00:00.000Z, calendarVersion:"
                    + " v1}}, this is none; allowed: the same periods, and others, or a start"
                    + " without its state")));
  }

  @Test
  void aMetricMayComeButNotGo() throws Exception {
    Policy before = load(policy());
    Policy other = load(policy("metric: other"));

    assertThat(
        PolicyChanges.problems("S", List.of(before), Map.of("a", before, "b", other)),
        is(List.of()));
    assertThat(
        PolicyChanges.problems("S", List.of(before, other), Map.of("a", before)),
        is(
            List.of(
                "--policy: the job in S has the metric other, and no policy has; allowed: its"
                    + " policy too, or a start without its state")));
  }

  private List<String> calendarProblems(String before, String now) throws Exception {
    Files.writeString(directory.resolve("periods.csv"), before);
    Policy kept = load(policy(CALENDAR));
    Files.writeString(directory.resolve("periods.csv"), now);
    return PolicyChanges.problems("S", List.of(kept), Map.of(file(), load(policy(CALENDAR))));
  }

  private List<String> problems(String before, String now) throws Exception {
    return PolicyChanges.problems("S", List.of(load(before)), Map.of(file(), load(now)));
  }

  private Policy load(String yaml) throws IOException, PolicyException {
    Files.writeString(Path.of(file()), yaml);
    return PolicyLoader.load(file());
  }

  private String file() {
    return directory.resolve("policy.yaml").toString();
  }
}
