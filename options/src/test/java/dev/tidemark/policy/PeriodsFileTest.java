package dev.tidemark.policy;

import static dev.tidemark.policy.PolicyExamples.policy;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PeriodsFileTest {
  private static final String HEADER = "periodId,start,end,zone,calendarVersion\n";
  private static final String COLUMNS_MISSING =
      "p.csv:1: header: does not name each column once; write"
          + " periodId,start,end,zone,calendarVersion in any order";
  private static final String TWO_VERSIONS =
      HEADER
          + "P1,2026-01-01,2026-02-01,UTC,2026.1\n"
          + "P1,2026-01-01,2026-01-29,UTC,2026.2\n"
          + "P2,2026-02-01,2026-03-01,UTC,2026.1\n";

  @TempDir private Path folder;

  private Windowing load(String csv, String calendar) throws IOException, PolicyException {
    Files.writeString(folder.resolve("p.csv"), csv);
    Path file = folder.resolve("policy.yaml");
    Files.writeString(file, policy("window: {calendar: " + calendar + "}"));
    return PolicyLoader.load(file.toString()).windowing();
  }

  private Windowing load(String csv) throws IOException, PolicyException {
    return load(csv, "{periods: p.csv}");
  }

  private List<String> problems(String csv, String calendar) {
    PolicyException refused = assertThrows(PolicyException.class, () -> load(csv, calendar));
    return refused.problems().stream().map(line -> line.replace(folder + "/", "")).toList();
  }

  private static ReportingPeriod period(String id, String start, String end, String version) {
    return new ReportingPeriod(id, Instant.parse(start), Instant.parse(end), version);
  }

  @Test
  void timesAreLocalDatesLocalTimesOrInstantsAndRowsAreSortedByStart() throws Exception {
    String csv =
        """
        calendarVersion,zone,end,start,periodId
        2026.1,Europe/Berlin,2026-04-01,2026-03-29T03:00,"P3, spring"

        2026.1,Asia/Jakarta,2026-01-29T06:30:00.250,2026-01-01,P1
        2026.1,UTC,2026-03-01T00:00+07:00,2026-02-01T00:00:00Z,P2
        """;
    assertThat(
        load(csv),
        is(
            new Windowing.ReportingCalendar(
                folder.resolve("p.csv").toString(),
                List.of(
                    period("P1", "2025-12-31T17:00:00Z", "2026-01-28T23:30:00.250Z", "2026.1"),
                    period("P2", "2026-02-01T00:00:00Z", "2026-02-28T17:00:00Z", "2026.1"),
                    period(
                        "P3, spring", "2026-03-29T01:00:00Z", "2026-03-31T22:00:00Z", "2026.1")))));
  }

  @Test
  void onlyTheVersionThatThePolicyNamesIsUsed() throws Exception {
    Windowing windowing = load(TWO_VERSIONS, "{periods: p.csv, calendarVersion: \"2026.2\"}");
    assertThat(
        ((Windowing.ReportingCalendar) windowing).periods(),
        contains(period("P1", "2026-01-01T00:00:00Z", "2026-01-29T00:00:00Z", "2026.2")));
  }

  @Test
  void aFileMayBeNamedByAbsolutePathOrUri() throws Exception {
    String csv = HEADER + "P1,2026-01-01,2026-02-01,UTC,1\n";
    String path = folder.resolve("p.csv").toString();
    assertThat(
        ((Windowing.ReportingCalendar) load(csv, "{periods: " + path + "}")).file(), is(path));
    assertThat(
        ((Windowing.ReportingCalendar) load(csv, "{periods: \"file:" + path + "\"}")).file(),
        is("file:" + path));
  }

  @Test
  void ofSeveralVersionsThePolicyMustNameOne() {
    assertThat(
        problems(TWO_VERSIONS, "{periods: p.csv}"),
        contains(
            "policy.yaml:5: window.calendar.calendarVersion: is missing, and the file holds several"
                + " versions; write one of 2026.1, 2026.2"));
  }

  @Test
  void thePolicyMustNameAVersionOfTheFile() {
    assertThat(
        problems(TWO_VERSIONS, "{periods: p.csv, calendarVersion: \"2027\"}"),
        contains(
            "policy.yaml:5: window.calendar.calendarVersion: '2027' is not a version of the file;"
                + " write one of 2026.1, 2026.2"));
  }

  @Test
  void aFileThatIsNotThereIsAProblemOfThePolicy() {
    assertThat(
        problems("", "{periods: q.csv}"),
        contains(
            "policy.yaml:5: window.calendar.periods: 'q.csv' cannot be read: no such file; name a"
                + " CSV file, found from the policy's folder"));
  }

  static Stream<Arguments> invalid() {
    String time = "write 2026-07-01, 2026-07-01T06:00 or 2026-07-01T06:00+07:00";
    return Stream.of(
        file("", COLUMNS_MISSING),
        file("periodId,start,end,zone\n", COLUMNS_MISSING),
        file("periodId,start,end,zone,zone\n", COLUMNS_MISSING),
        file(HEADER + " \n", "p.csv:1: header: has no periods below it; write one period a line"),
        rows(
            "P1,2026-01-01,2026-02-01,UTC\n",
            "p.csv:2: row: has 4 values; write 5: periodId,start,end,zone,calendarVersion"),
        rows(
            "P1,\"2026-01-01,2026-02-01,UTC,1\n",
            "p.csv:2: row: is not CSV: Missing closing quote for value; write values, commas"
                + " between"),
        rows(
            ",2026-01-01,2026-02-01,UTC,\n",
            "p.csv:2: periodId: is empty; write a name",
            "p.csv:2: calendarVersion: is empty; write a name"),
        rows(
            "P1,2026-01-01,2026-02-01,Asia/Jakrta,1\n",
            "p.csv:2: zone: 'Asia/Jakrta' is not a time zone; did you mean 'Asia/Jakarta'?"),
        rows(
            "P1,2026-01-01,2026-02-01,UTC,1\n\nP2,2026-02-30,1 March,UTC,1\n",
            "p.csv:4: start: '2026-02-30' is not a date or time; " + time,
            "p.csv:4: end: '1 March' is not a date or time; " + time),
        rows(
            "P1,2026-01-01T00:00:00.0001,2026-02-01,UTC,1\n",
            "p.csv:2: start: '2026-01-01T00:00:00.0001' is not a date or time; " + time),
        rows(
            "P1,2026-02-01,2026-02-01,UTC,1\n",
            "p.csv:2: end: '2026-02-01' is not after the start; write the first day or time after"
                + " the period"),
        rows(
            "P1,2026-01-01,2026-02-01,UTC,1\nP1,2026-02-01,2026-03-01,UTC,1\n",
            "p.csv:3: periodId: 'P1' stands twice, first in line 2; write each id once a version"),
        rows(
            "P2,2026-02-01,2026-03-01,UTC,1\nP1,2026-01-01,2026-02-02,UTC,1\n",
            "p.csv:2: start: 'P2' starts before 'P1' of line 3 ends; write periods that do not"
                + " overlap"),
        rows(
            """
            Y,2026-01-01,2027-01-01,UTC,1
            P1,2026-01-01,2026-02-01,UTC,1
            P2,2026-02-01,2026-03-01,UTC,1
            """,
            "p.csv:3: start: 'P1' starts before 'Y' of line 2 ends; write periods that do not"
                + " overlap",
            "p.csv:4: start: 'P2' starts before 'Y' of line 2 ends; write periods that do not"
                + " overlap"));
  }

  private static Arguments rows(String rows, String... problems) {
    return file(HEADER + rows, problems);
  }

  private static Arguments file(String csv, String... problems) {
    return Arguments.of(csv, List.of(problems));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void everyProblemNamesTheFileAndTheLine(String csv, List<String> expected) {
    assertThat(problems(csv, "{periods: p.csv}"), is(expected));
  }

  @Test
  void problemsOfThePolicyStandBeforeThoseOfTheFile() {
    assertThat(
        problems(
            TWO_VERSIONS.replace("2026-03-01", "March"),
            "{periods: p.csv, calendarVersion: \"2027\"}"),
        contains(
            "policy.yaml:5: window.calendar.calendarVersion: '2027' is not a version of the file;"
                + " write one of 2026.1, 2026.2",
            "p.csv:4: end: 'March' is not a date or time; write 2026-07-01, 2026-07-01T06:00 or"
                + " 2026-07-01T06:00+07:00"));
  }
}
