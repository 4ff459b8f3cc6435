package dev.tidemark.pipelines.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.dlq.RecordParser;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.LineSource;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.BoundedSource.BoundedReader;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
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

  private final String file;
  private final Policy policy;
  private final RecordParser parser;
  private final List<Step> steps = new ArrayList<>();
  private Instant watermark = BoundedWindow.TIMESTAMP_MIN_VALUE;
  private Instant now;

  private Script(String file, Policy policy, Instant start) {
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
  static List<Step> read(String file, Policy policy, Instant start) throws UsageException {
    Script script = new Script(file, policy, start);
    try {
      script.readLines();
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException("--events=" + file + ": cannot be read: " + e.getMessage());
    }
    script.end();
    return List.copyOf(script.steps);
  }

  private void readLines() throws IOException, UsageException {
    Metadata metadata = FileSystems.matchSingleFileSpec(file);
    LineSource source = new LineSource(metadata, 0, Long.MAX_VALUE, () -> now);
    try (BoundedReader<RawRecord> lines = source.createReader(PipelineOptionsFactory.create())) {
      for (boolean more = lines.start(); more; more = lines.advance()) {
        readLine(lines.getCurrent());
      }
    }
  }

  private void readLine(RawRecord line) throws UsageException {
    JsonNode directive = directive(line.bytes());
    if (directive == null) {
      arrive(line);
    } else if (directive.has(WATERMARK)) {
      moveWatermark(directive, line);
    } else {
      passTime(directive, line);
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

  private void arrive(RawRecord record) {
    Instant eventTime = null;
    if (parser.parse(record) instanceof RecordParser.Parsed parsed) {
      eventTime = parsed.event().timestamp();
      Instant proven = eventTime.minus(policy.watermark().maxOutOfOrderness());
      watermark = proven.isAfter(watermark) ? proven : watermark;
    }
    String text = new String(record.bytes(), StandardCharsets.UTF_8);
    steps.add(new Step(number(record), text, record, eventTime, watermark, now));
  }

  private void moveWatermark(JsonNode directive, RawRecord line) throws UsageException {
    String text = directive.get(WATERMARK).asText();
    Instant moved = Times.instant(text);
    if (moved == null) {
      throw refused(line, WATERMARK, text, Times.INSTANT_ALLOWED);
    }
    if (moved.isBefore(watermark)) {
      throw refused(line, WATERMARK, text, "never backwards, so at least " + watermark);
    }
    watermark = moved;
    addDirective(directive, line);
  }

  private void passTime(JsonNode directive, RawRecord line) throws UsageException {
    String text = directive.get(PROCESSING_TIME).asText();
    Duration passed = Times.duration(text);
    if (passed == null) {
      throw refused(line, PROCESSING_TIME, text, Times.DURATION_ALLOWED);
    }
    now = now.plus(passed);
    addDirective(directive, line);
  }

  private void addDirective(JsonNode directive, RawRecord line) {
    steps.add(new Step(number(line), directive.toString(), null, null, watermark, now));
  }

  private void end() {
    steps.add(new Step("end", "", null, null, BoundedWindow.TIMESTAMP_MAX_VALUE, now));
  }

  private UsageException refused(RawRecord line, String directive, String text, String allowed) {
    return new UsageException(
        file + ":" + number(line) + ": " + directive + " is " + text + "; allowed: " + allowed);
  }

  private static String number(RawRecord line) {
    return line.origin() instanceof Origin.FileLine place ? String.valueOf(place.line()) : "";
  }
}
