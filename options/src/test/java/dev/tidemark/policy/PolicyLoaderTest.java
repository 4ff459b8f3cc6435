package dev.tidemark.policy;

import static dev.tidemark.policy.PolicyExamples.policy;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.policy.PolicyExamples.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class PolicyLoaderTest {
  private static final String FILE = "policy.yaml";

  static Stream<Invalid> invalid() {
    return PolicyExamples.invalid().stream();
  }

  static Stream<String> valid() {
    return PolicyExamples.valid().stream();
  }

  static Stream<Path> cases() throws IOException {
    Path cases = Path.of(System.getProperty("tidemark.root"), "testdata", "cases");
    try (Stream<Path> folders = Files.list(cases)) {
      return folders.map(folder -> folder.resolve(FILE)).toList().stream();
    }
  }

  private static List<String> problems(String yaml) {
    return assertThrows(PolicyException.class, () -> PolicyLoader.parse(yaml, FILE)).problems();
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void saysWhatIsWrongAndWhatIsAllowed(Invalid invalid) {
    assertThat(problems(invalid.yaml()), is(invalid.problems()));
  }

  @Test
  void reportsEveryProblemAtOnceByLine() {
    String yaml =
        """
        version: 3
        clock: event_time
        key: {1k: /k, l: l}
        window:
          sliding:
            size: 5m
            every: 10m
            offset: 5 minutes
        allowedLatness: 1m
        aggregates:
          a: {sum: /v, max: /v}
          b:
            quantile:
              of: /v
              q: 2
        accumulation: discarding
        accumulation: retracting
        """;
    assertThat(
        problems(yaml),
        contains(
            "policy.yaml:1: metric: is missing; write lower-case letters, digits and '-'",
            "policy.yaml:1: version: the number 3 is not text; quote it: \"3\"",
            "policy.yaml:2: clock: 'event_time' is not a clock; write one of event-time,"
                + " business-effective-time, ingestion-time, processing-time",
            "policy.yaml:3: key.1k: '1k' is not a name; write letters, digits, '_' and '-', first"
                + " a letter or '_'",
            "policy.yaml:3: key.l: 'l' is not a JSON Pointer; write /field, /outer/inner for a"
                + " nested one, or \"#/headers/name\" or \"#/key\" of a topic",
            "policy.yaml:7: window.sliding.every: '10m' is longer than size '5m', so events"
                + " between windows would be lost; write at most size",
            "policy.yaml:8: window.sliding.offset: '5 minutes' is not a duration; write 5m, 1h30m,"
                + " 250ms or PT5M",
            "policy.yaml:9: allowedLatness: is not a field of a policy; did you mean"
                + " 'allowedLateness'?",
            "policy.yaml:11: aggregates.a: has sum and max; write exactly one of count, elapsed,"
                + " {sum: …}, {min: …}, {max: …}, {mean: …}, {distinct: …}, {quantile: …},"
                + " {top: …}, {first: …}, {last: …}",
            "policy.yaml:15: aggregates.b.quantile.q: the number 2 is not a share; write a number"
                + " from 0 to 1",
            "policy.yaml:17: accumulation: stands twice, first in line 16; write it once"));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void jsonIsYaml(String yaml) throws Exception {
    Object tree = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    String json = new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(tree);
    assertThat(PolicyLoader.parse(json, FILE), equalTo(PolicyLoader.parse(yaml, FILE)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void workedCasesLoad(Path file) throws PolicyException {
    Policy policy = PolicyLoader.load(file.toString());
    assertThat(policy.metric(), is(file.getName(file.getNameCount() - 2).toString()));
  }

  @Test
  void leftOutFieldsHaveTheModelsDefaults() throws PolicyException {
    assertThat(
        PolicyLoader.parse(policy(), FILE),
        is(
            new Policy(
                "m",
                "1",
                new Format.Json(),
                Clock.EVENT_TIME,
                new Pointer("/t"),
                Map.of("k", new Pointer("/k")),
                new Windowing.Fixed(Duration.standardMinutes(5), Duration.ZERO),
                Trigger.DEFAULT,
                Duration.ZERO,
                Accumulation.ACCUMULATING,
                TooLate.QUARANTINE,
                Map.of("n", new Aggregate.Count()),
                Watermark.DEFAULT)));
  }

  @Test
  void leftOutFieldsOfAnEmptyWatermarkHaveTheModelsDefaults() throws PolicyException {
    Policy policy = PolicyLoader.parse(policy("watermark: {}", "trigger: {}"), FILE);
    assertThat(policy.watermark(), is(Watermark.DEFAULT));
    assertThat(policy.trigger(), is(Trigger.DEFAULT));
  }

  @Test
  void calendarDefaultsToMidnightMondayAndJanuary() throws PolicyException {
    String window = "window: {calendar: {period: month, zone: Asia/Jakarta}}";
    assertThat(
        PolicyLoader.parse(policy(window), FILE).windowing(),
        is(
            new Windowing.Calendar(
                Windowing.Period.MONTH,
                ZoneId.of("Asia/Jakarta"),
                LocalTime.MIDNIGHT,
                DayOfWeek.MONDAY,
                Month.JANUARY)));
  }

  @Test
  void namesKeepTheirOrder() throws PolicyException {
    String yaml = policy("key: {z: /z, a: /a, m: /m}", "aggregates: {y: count, b: elapsed}");
    Policy policy = PolicyLoader.parse(yaml, FILE);
    assertThat(policy.key().keySet(), contains("z", "a", "m"));
    assertThat(policy.aggregates().keySet(), contains("y", "b"));
  }

  @ParameterizedTest
  @CsvSource({
    "5m, 300000",
    "1h30m, 5400000",
    "250ms, 250",
    "2d, 172800000",
    "1d2h3m4s5ms, 93784005",
    "0s, 0",
    "PT5M, 300000",
    "P1DT1H, 90000000",
    "PT0.25S, 250",
    "3155760000000ms, 3155760000000"
  })
  void durationsAreUnitsOrIso8601(String text, long millis) throws PolicyException {
    Policy policy = PolicyLoader.parse(policy("allowedLateness: " + text), FILE);
    assertThat(policy.allowedLateness(), is(Duration.millis(millis)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"#", "##"})
  void surrogatePairsMayStandAnywhere(String comment) throws PolicyException {
    String yaml = policy() + comment + "😀".repeat(2000);
    assertThat(PolicyLoader.parse(yaml, FILE), is(PolicyLoader.parse(policy(), FILE)));
  }

  @Test
  void aliasesAreRefusedBeforeAnythingFollowsThem() {
    assertThat(
        problems(PolicyExamples.billionLaughs()).get(0),
        is(
            "policy.yaml:1: policy: has the anchor &a0; write the value out, without anchors and"
                + " aliases"));
  }

  @Test
  void aMissingFileIsOneLine(@TempDir Path folder) {
    String file = folder.resolve("none.yaml").toString();
    assertThat(
        loadProblems(file), contains(file + ": cannot be read: no such file; name a policy file"));
  }

  @Test
  void anUnknownSchemeIsOneLine() {
    assertThat(
        loadProblems("nofs://bucket/policy.yaml"),
        contains(
            "nofs://bucket/policy.yaml: cannot be read: No filesystem found for scheme nofs; name"
                + " a policy file"));
  }

  @Test
  void aHugeFileIsNotReadWhole(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("huge.yaml");
    Files.write(file, new byte[300_000]);
    assertThat(
        loadProblems(file.toString()),
        contains(file + ": cannot be read: more than 256 KiB; name a policy file"));
  }

  @Test
  void bytesThatAreNotUtf8AreOneLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("latin.yaml");
    Files.write(file, new byte[] {'a', ':', (byte) 0xe4});
    assertThat(
        loadProblems(file.toString()),
        contains(file + ": cannot be read: not UTF-8; name a policy file"));
  }

  @Test
  void aUriAndAByteOrderMarkAreRead(@TempDir Path folder) throws Exception {
    Path file = folder.resolve(FILE);
    Files.writeString(file, "\ufeff" + policy());
    assertThat(PolicyLoader.load(file.toUri().toString()), is(PolicyLoader.parse(policy(), FILE)));
  }

  private static List<String> loadProblems(String file) {
    return assertThrows(PolicyException.class, () -> PolicyLoader.load(file)).problems();
  }
}
