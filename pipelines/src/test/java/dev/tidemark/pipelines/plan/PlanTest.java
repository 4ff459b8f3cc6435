package dev.tidemark.pipelines.plan;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
  private static final String FIXED = "{fixed: {size: 5m}}";
  private static final String QUIET = "watermark: {maxOutOfOrderness: 5s}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{fixed: {size: 5m}}                                         | 1   | 4",
        "{sliding: {size: 1h, every: 5m}}                            | 12  | 15",
        "{sliding: {size: 1h, every: 7m}}                            | 9   | 11",
        "{sessions: {gap: 10m}}                                      | 1   | 3",
        "{calendar: {period: day, zone: UTC}}                        | 1   | 2",
      })
  void anEventCountsInAndAKeyKeepsOpenSoManyWindows(String window, long perEvent, long open)
      throws PolicyException {
    Cost cost = new Cost(policy(window, QUIET + "\nallowedLateness: 10m"), 1, null);
    assertThat(List.of(cost.windowsPerEvent(), cost.openWindows()), is(List.of(perEvent, open)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{fixed: {size: 5m}}              | -             | 1  | -   | 288",
        "{fixed: {size: 5m}}              | -             | 10 | -   | 2,880",
        "{fixed: {size: 5m}}              | {every: 1m}   | 1  | -   | 1,728",
        "{fixed: {size: 5m}}              | {every: 1m}   | 1  | 0.01 | 864",
        "{sliding: {size: 1h, every: 5m}} | {every: 1m}   | 1  | -   | 17,568",
        "{fixed: {size: 5m}}              | {count: 100}  | 1  | 10  | 8,928",
        "{fixed: {size: 5m}}              | {count: 100}  | 1  | -   | '288, and one for each 100 events of a window'",
        "{global: {}}                     | {every: 1h}   | 2  | -   | 48",
      })
  void aKeyGivesSoManyPanesADay(
      String window, @Nullable String early, long keys, @Nullable Double rate, String panes)
      throws PolicyException {
    String trigger = early == null ? "" : "\ntrigger: {early: " + early + "}";
    Cost cost = new Cost(policy(window, QUIET + trigger), keys, rate);
    String name = keys == 1 ? "panes a day, 1 key" : "panes a day, " + keys + " keys";
    assertThat(cost.figures().get(name), is(panes));
  }

  @Test
  void stateGrowsWithKeysWindowsAndValues() throws PolicyException {
    Policy policy = policy(FIXED, QUIET, "{visitors: {distinct: /v}, skus: {top: {of: /s, n: 3}}}");
    // 2 open windows, for the events that are 5 s out of order
    assertThat(
        new Cost(policy, 1024, null).figures().get("state, 1,024 keys"),
        is("about 5.0 MiB, and 26.0 KiB for each different value of a window"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{fixed: {size: 5m}} | clock: processing-time | clock: processing-time",
        "{fixed: {size: 5m}} | watermark: {maxOutOfOrderness: 0s} | watermark: maxOutOfOrderness",
        "{fixed: {size: 5m}} | trigger: {early: {every: 1m}} | trigger: early panes",
        "{fixed: {size: 5m}} | tooLate: drop-and-count | tooLate: drop-and-count",
        "{fixed: {size: 5m}} | allowedLateness: 51m | allowedLateness: 51m for windows of 5m",
        "{sliding: {size: 1h, every: 1m}} | | window: each event counts in 60 windows",
        "{global: {}} | trigger: {early: {count: 9}} | window: global",
        "{sessions: {gap: 5m, maxDuration: 1h}} | | window: sessions",
        "{sessions: {gap: 5m}} | | window: sessions without maxDuration",
      })
  void aRegrettableChoiceHasAWarning(String window, @Nullable String more, String what)
      throws PolicyException {
    assertThat(warnings(window, more == null ? "" : more), hasItem(startsWith(what)));
  }

  @ParameterizedTest
  @CsvSource({"discarding", "retracting"})
  void panesThatDoNotReplaceEachOtherHaveAWarningIfThereAreSeveral(String accumulation)
      throws PolicyException {
    String more = QUIET + "\naccumulation: " + accumulation;
    assertThat(warnings(FIXED, more), is(empty()));
    assertThat(
        warnings(FIXED, more + "\nallowedLateness: 1m"), contains("accumulation: " + accumulation));
  }

  @Test
  void aPlainPolicyHasNoWarnings() throws PolicyException {
    assertThat(warnings(FIXED, QUIET), is(empty()));
  }

  private static List<String> warnings(String window, String more) throws PolicyException {
    return Warning.of(policy(window, more)).stream().map(Warning::what).toList();
  }

  private static Policy policy(String window, String more) throws PolicyException {
    return policy(window, more, "{n: count}");
  }

  private static Policy policy(String window, String more, String aggregates)
      throws PolicyException {
    String timestamp = more.contains("processing-time") ? "" : "timestamp: /t\n";
    return PolicyLoader.parse(
        "metric: m\nversion: '1'\n%skey: {k: /k}\nwindow: %s\n%s\naggregates: %s\n"
            .formatted(timestamp, window, more, aggregates),
        "p.yaml");
  }
}
