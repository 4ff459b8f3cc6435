package dev.tidemark.pipelines.deadletters;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.JsonLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.joda.time.Instant;

/**
 * A tally as text.
 *
 * @param files how many files were read
 * @param malformed how many of their lines were no dead letters
 */
record TallyReport(Tally tally, int files, long malformed) {

  /** A row for each reason and hour, the totals of the reasons and their samples. */
  List<String> table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("reason", "hour", "records", "first seen", "last seen"));
    tally.reasons().forEach((reason, counted) -> addRows(rows, reason, counted));
    List<String> lines = new ArrayList<>(aligned(rows));
    tally.reasons().forEach((reason, counted) -> addSamples(lines, reason, counted));
    lines.add("");
    lines.add(
        "%,d dead letters in %,d files, %,d malformed lines"
            .formatted(tally.records(), files, malformed));
    return lines;
  }

  private static void addRows(List<List<String>> rows, Reason reason, Tally.OfReason counted) {
    counted.hours().forEach((hour, seen) -> rows.add(row(reason, hour.toString(), seen)));
    rows.add(row(reason, "all", counted.all()));
  }

  private static List<String> row(Reason reason, String hour, Tally.Seen seen) {
    return List.of(
        reason.name(),
        hour,
        "%,d".formatted(seen.records()),
        seen.first().toString(),
        seen.last().toString());
  }

  private static List<String> aligned(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    String format =
        "%%-%ds  %%-%ds  %%%ds  %%-%ds  %%s".formatted(widths[0], widths[1], widths[2], widths[3]);
    return rows.stream().map(row -> format.formatted(row.toArray())).toList();
  }

  private static void addSamples(List<String> lines, Reason reason, Tally.OfReason counted) {
    if (counted.samples().isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(reason.name());
    counted.samples().forEach(sample -> lines.add("  " + sample));
  }

  /** The same as one JSON object. */
  String json() {
    return JsonLine.of(
        json -> {
          json.writeNumberField("deadLetters", tally.records());
          json.writeNumberField("files", files);
          json.writeNumberField("malformedLines", malformed);
          json.writeArrayFieldStart("reasons");
          for (Map.Entry<Reason, Tally.OfReason> reason : tally.reasons().entrySet()) {
            writeReason(json, reason.getKey(), reason.getValue());
          }
          json.writeEndArray();
        });
  }

  private static void writeReason(JsonGenerator json, Reason reason, Tally.OfReason counted)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("reason", reason.name());
    writeSeen(json, counted.all());
    json.writeArrayFieldStart("hours");
    for (Map.Entry<Instant, Tally.Seen> hour : counted.hours().entrySet()) {
      json.writeStartObject();
      JsonLine.writeInstant(json, "hour", hour.getKey());
      writeSeen(json, hour.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("samples");
    for (String sample : counted.samples()) {
      json.writeString(sample);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeSeen(JsonGenerator json, Tally.Seen seen) throws IOException {
    json.writeNumberField("records", seen.records());
    JsonLine.writeInstant(json, "firstSeen", seen.first());
    JsonLine.writeInstant(json, "lastSeen", seen.last());
  }
}
