package dev.tidemark.pipelines.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.dlq.RecordParser;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads an events file into steps. Each line that is no directive is an arrival, whatever it holds:
 * what cannot be parsed becomes a dead letter, as it would in a run. Empty lines are skipped.
 */
final class Script {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WATERMARK = "@watermark";
  private static final String PROCESSING_TIME = "@processingTime";

  private final Path file;
  private final Policy policy;
  private final RecordParser parser;
  private final List<Step> steps = new ArrayList<>();
  private Instant watermark = BoundedWindow.TIMESTAMP_MIN_VALUE;
  private Instant now;

  private Script(Path file, Policy policy, Instant start) {
    this.file = file;
    this.policy = policy;
    this.now = start;
    this.parser = RecordParser.of(policy).withWallClock(() -> now);
  }

  /**
   * Reads a file.
   *
   * @param start the wall clock at the first line
   * @throws UsageException if the file cannot be read, or a directive is wrong
   */
  static List<Step> read(Path file, Policy policy, Instant start) throws UsageException {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UsageException("--events=" + file + ": cannot be read");
    }
    Script script = new Script(file, policy, start);
    script.readLines(content);
    script.end();
    return List.copyOf(script.steps);
  }

  private void readLines(byte[] content) throws UsageException {
    int start = 0;
    for (long number = 1; start < content.length; number++) {
      int end = start;
      while (end < content.length && content[end] != '\n') {
        end++;
      }
      int textEnd = end > start && content[end - 1] == '\r' ? end - 1 : end;
      if (textEnd > start) {
        readLine(Arrays.copyOfRange(content, start, textEnd), start, number);
      }
      start = end + 1;
    }
  }

  private void readLine(byte[] line, long offset, long number) throws UsageException {
    JsonNode directive = directive(line);
    if (directive == null) {
      arrive(line, offset, number);
    } else if (directive.has(WATERMARK)) {
      moveWatermark(directive, number);
    } else {
      passTime(directive, number);
    }
  }

  private static @Nullable JsonNode directive(byte[] line) {
    try {
      JsonNode node = JSON.readTree(line);
      boolean named = node.has(WATERMARK) || node.has(PROCESSING_TIME);
      return named && node.size() == 1 ? node : null;
    } catch (IOException notJson) {
      return null;
    }
  }

  private void arrive(byte[] line, long offset, long number) {
    RawRecord record =
        new RawRecord(line, new Origin.FileLine(file.toString(), offset, number), now);
    Instant eventTime = null;
    if (parser.parse(record) instanceof RecordParser.Parsed parsed) {
      eventTime = parsed.event().timestamp();
      Instant proven = eventTime.minus(policy.watermark().maxOutOfOrderness());
      watermark = proven.isAfter(watermark) ? proven : watermark;
    }
    String text = new String(line, StandardCharsets.UTF_8);
    steps.add(new Step(Long.toString(number), text, record, eventTime, watermark, now));
  }

  private void moveWatermark(JsonNode directive, long number) throws UsageException {
    String text = directive.get(WATERMARK).asText();
    Instant moved = Times.instant(text);
    if (moved == null) {
      throw refused(number, WATERMARK, text, Times.INSTANT_ALLOWED);
    }
    if (moved.isBefore(watermark)) {
      throw refused(number, WATERMARK, text, "never backwards, so at least " + watermark);
    }
    watermark = moved;
    addDirective(directive, number);
  }

  private void passTime(JsonNode directive, long number) throws UsageException {
    String text = directive.get(PROCESSING_TIME).asText();
    Duration passed = Times.duration(text);
    if (passed == null) {
      throw refused(number, PROCESSING_TIME, text, Times.DURATION_ALLOWED);
    }
    now = now.plus(passed);
    addDirective(directive, number);
  }

  private void addDirective(JsonNode directive, long number) {
    steps.add(new Step(Long.toString(number), directive.toString(), null, null, watermark, now));
  }

  private void end() {
    steps.add(new Step("end", "", null, null, BoundedWindow.TIMESTAMP_MAX_VALUE, now));
  }

  private UsageException refused(long number, String directive, String text, String allowed) {
    return new UsageException(
        file + ":" + number + ": " + directive + " is " + text + "; allowed: " + allowed);
  }
}
