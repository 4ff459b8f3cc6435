package dev.tidemark.pipelines.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Prints a simulation as a table for a person: a row for each step with its event time and the
 * watermark after it, and below it a row for each thing that came of it.
 */
final class Timeline {
  private static final String STEP = "%6s  %-24s  %-24s  %s";
  private static final String OUTCOME = "%6s  > %-11s %4s  %-50s  %s";
  private static final int MAX_TEXT = 120;

  /** Shows numbers as the result lines write them. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final Policy policy;
  private final PrintWriter out;

  private Timeline(Policy policy, PrintWriter out) {
    this.policy = policy;
    this.out = out;
  }

  static void print(Policy policy, List<Played> played, PrintWriter out) {
    Timeline timeline = new Timeline(policy, out);
    timeline.row(STEP, "line", "event time", "watermark after", "event");
    played.forEach(timeline::print);
    out.flush();
  }

  private void print(Played played) {
    Step step = played.step();
    String text = oneLine(step.text());
    row(STEP, step.label(), time(step.eventTime()), time(step.watermark()), text);
    played.results().forEach(result -> printResult(parse(ResultJson.line(policy, result))));
    played.tooLate().forEach(event -> printTooLate(parse(ResultJson.line(policy, event))));
    played.deadLetters().forEach(this::printDeadLetter);
  }

  private void printResult(JsonNode result) {
    String kind = result.path("resultKind").asText();
    String firing = result.path("firingSequence").asText();
    String value = result.path("key") + "  " + result.path("value");
    row(OUTCOME, "", kind, firing, window(result), value + supersedes(result));
  }

  private void printTooLate(JsonNode tooLate) {
    row(OUTCOME, "", "too late", "", window(tooLate), tooLate.path("key"));
  }

  private void printDeadLetter(DeadLetter deadLetter) {
    String message = oneLine(deadLetter.message());
    row(OUTCOME, "", "dead letter", "", deadLetter.reason(), message);
  }

  private void row(String format, Object... cells) {
    out.println(String.format(Locale.ROOT, format, cells).stripTrailing());
  }

  private static String window(JsonNode line) {
    return line.path("windowStart").isNull()
        ? "global"
        : line.path("windowStart").asText() + ", " + line.path("windowEnd").asText();
  }

  private static String supersedes(JsonNode result) {
    return result.has("supersedes") ? "  supersedes " + result.get("supersedes") : "";
  }

  private static String time(@Nullable Instant time) {
    if (time == null || !time.isAfter(BoundedWindow.TIMESTAMP_MIN_VALUE)) {
      return "-";
    }
    return time.isBefore(BoundedWindow.TIMESTAMP_MAX_VALUE) ? time.toString() : "infinity";
  }

  /** What a record holds must not break the table, or the terminal. */
  private static String oneLine(String text) {
    String cut = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "..." : text;
    return cut.replaceAll("\\p{Cntrl}", "?");
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a line of our own is JSON", e);
    }
  }
}
