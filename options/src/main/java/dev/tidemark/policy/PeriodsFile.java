package dev.tidemark.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a reporting calendar: a CSV file whose header names the columns periodId, start, end,
 * zone and calendarVersion, in any order. Start and end are a local date, a local date and time, or
 * a date and time with an offset; the end is the first instant after the period.
 */
final class PeriodsFile {
  static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final List<String> COLUMNS =
      List.of("periodId", "start", "end", "zone", "calendarVersion");
  private static final ObjectReader CELLS =
      new CsvMapper().enable(CsvParser.Feature.TRIM_SPACES).readerForListOf(String.class);
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern LOCAL = Pattern.compile(DATE + "T[0-9:]+(?:\\.[0-9]{1,3})?");
  private static final Pattern OFFSET = Pattern.compile(LOCAL + "(?:Z|[+-][0-9:]+)");
  private static final String WRITE_TIME =
      "write 2026-07-01, 2026-07-01T06:00 or 2026-07-01T06:00+07:00";

  private final Reading reading;
  private final String file;
  private final List<Row> rows = new ArrayList<>();
  private final Set<String> versions = new TreeSet<>();

  private record Row(int line, ReportingPeriod period) {}

  private PeriodsFile(Reading reading, String file) {
    this.reading = reading;
    this.file = file;
  }

  /**
   * Reads every row that is sound in itself.
   *
   * @param file the name that problems are reported under
   */
  static PeriodsFile parse(Reading reading, String file, String text) {
    PeriodsFile periods = new PeriodsFile(reading, file);
    List<String> lines = text.lines().toList();
    List<String> header = lines.isEmpty() ? List.of() : periods.cells(1, lines.get(0));
    if (header.size() != COLUMNS.size() || !header.containsAll(COLUMNS)) {
      periods.refuse(
          1,
          "header",
          "does not name each column once",
          "write " + String.join(",", COLUMNS) + " in any order");
      return periods;
    }
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        periods.readRow(i + 1, header, lines.get(i));
      }
    }
    if (lines.stream().skip(1).allMatch(String::isBlank)) {
      periods.refuse(1, "header", "has no periods below it", "write one period a line");
    }
    return periods;
  }

  /** Every version that a row names, in order. */
  Set<String> versions() {
    return versions;
  }

  /** The periods of one version, by start; reports those that share an id or overlap. */
  List<ReportingPeriod> periods(String version) {
    Map<String, Row> byId = new HashMap<>();
    List<Row> chosen = new ArrayList<>();
    for (Row row : rows) {
      if (row.period.calendarVersion().equals(version)) {
        chosen.add(row);
        Row first = byId.putIfAbsent(row.period.id(), row);
        if (first != null) {
          refuse(
              row.line,
              "periodId",
              Messages.quote(row.period.id()) + " stands twice, first in line " + first.line,
              "write each id once a version");
        }
      }
    }
    chosen.sort(Comparator.comparing(row -> row.period.start()));
    checkOverlaps(chosen);
    return chosen.stream().map(Row::period).toList();
  }

  private void checkOverlaps(List<Row> byStart) {
    Row furthest = null;
    for (Row row : byStart) {
      if (furthest != null && row.period.start().isBefore(furthest.period.end())) {
        refuse(
            row.line,
            "start",
            Messages.quote(row.period.id())
                + " starts before "
                + Messages.quote(furthest.period.id())
                + " of line "
                + furthest.line
                + " ends",
            "write periods that do not overlap");
      }
      if (furthest == null || row.period.end().isAfter(furthest.period.end())) {
        furthest = row;
      }
    }
  }

  private void readRow(int line, List<String> header, String text) {
    List<String> values = cells(line, text);
    if (values.isEmpty()) {
      return;
    }
    if (values.size() != header.size()) {
      refuse(
          line,
          "row",
          "has " + values.size() + " values",
          "write " + header.size() + ": " + String.join(",", header));
      return;
    }
    Map<String, String> row = new HashMap<>();
    for (int i = 0; i < header.size(); i++) {
      row.put(header.get(i), values.get(i));
    }
    readRow(line, row);
  }

  private void readRow(int line, Map<String, String> row) {
    int before = reading.problemCount();
    String id = named(line, row, "periodId");
    String version = named(line, row, "calendarVersion");
    if (!version.isEmpty()) {
      versions.add(version);
    }
    ZoneId zone = zone(line, row.getOrDefault("zone", ""));
    Instant start = time(line, row, "start", zone);
    Instant end = time(line, row, "end", zone);
    if (start != null && end != null && !start.isBefore(end)) {
      refuse(
          line,
          "end",
          Messages.quote(row.getOrDefault("end", "")) + " is not after the start",
          "write the first day or time after the period");
    }
    if (start != null && end != null && reading.problemCount() == before) {
      rows.add(new Row(line, new ReportingPeriod(id, joda(start), joda(end), version)));
    }
  }

  private String named(int line, Map<String, String> row, String column) {
    String value = row.getOrDefault(column, "");
    if (value.isEmpty()) {
      refuse(line, column, "is empty", "write a name");
    }
    return value;
  }

  /** The zone; UTC after reporting that there is no such zone, so that the rest is still read. */
  private ZoneId zone(int line, String text) {
    if (Zones.isKnown(text)) {
      return ZoneId.of(text);
    }
    refuse(line, "zone", Messages.quote(text) + " is not a time zone", Zones.didYouMean(text));
    return ZoneOffset.UTC;
  }

  private @Nullable Instant time(int line, Map<String, String> row, String column, ZoneId zone) {
    String text = row.getOrDefault(column, "");
    try {
      if (DATE.matcher(text).matches()) {
        return LocalDate.parse(text).atStartOfDay(zone).toInstant();
      } else if (LOCAL.matcher(text).matches()) {
        return LocalDateTime.parse(text).atZone(zone).toInstant();
      } else if (OFFSET.matcher(text).matches()) {
        return OffsetDateTime.parse(text).toInstant();
      }
    } catch (DateTimeException noSuchDate) {
      // Reported below, as any other text is.
    }
    refuse(line, column, Messages.quote(text) + " is not a date or time", WRITE_TIME);
    return null;
  }

  private static org.joda.time.Instant joda(Instant instant) {
    return org.joda.time.Instant.ofEpochMilli(instant.toEpochMilli());
  }

  /** The values of a line; none after reporting that it is not CSV. */
  private List<String> cells(int line, String text) {
    try {
      return CELLS.readValue(text);
    } catch (JsonProcessingException e) {
      refuse(line, "row", "is not CSV: " + e.getOriginalMessage(), "write values, commas between");
      return List.of();
    }
  }

  private void refuse(int line, String column, String wrong, String allowed) {
    reading.refuseIn(file, line, column, wrong, allowed);
  }
}
