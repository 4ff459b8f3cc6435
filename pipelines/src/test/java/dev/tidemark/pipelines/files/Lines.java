package dev.tidemark.pipelines.files;

import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.io.Compression;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.joda.time.Instant;

/** Files of lines, and what reading them should give. */
final class Lines {
  static final Instant NOW = Instant.parse("2026-07-04T10:00:00Z");
  static final PipelineOptions OPTIONS = PipelineOptionsFactory.create();

  private Lines() {}

  static Metadata file(Path path) throws IOException {
    return FileSystems.matchSingleFileSpec(path.toString());
  }

  static Path write(Path path, byte[] content) throws IOException {
    try (OutputStream out =
        Channels.newOutputStream(
            Compression.detect(path.toString())
                .writeCompressed(Channels.newChannel(Files.newOutputStream(path))))) {
      out.write(content);
    }
    return path;
  }

  /** The records of a file with this content, found byte by byte. */
  static List<RawRecord> expected(Path path, byte[] content) {
    List<RawRecord> records = new ArrayList<>();
    int start = 0;
    long line = 1;
    for (int i = 0; i <= content.length; i++) {
      if (i < content.length && content[i] != '\n') {
        continue;
      }
      boolean windowsEnd = i < content.length && i > start && content[i - 1] == '\r';
      int end = windowsEnd ? i - 1 : i;
      if (end > start) {
        records.add(
            new RawRecord(
                Arrays.copyOfRange(content, start, end),
                new Origin.FileLine(path.toString(), start, line),
                NOW));
      }
      line++;
      start = i + 1;
    }
    return records;
  }

  /** The same records as read in ranges, where lines have no numbers. */
  static List<RawRecord> withoutNumbers(List<RawRecord> records) {
    return records.stream().map(Lines::withoutNumber).toList();
  }

  private static RawRecord withoutNumber(RawRecord record) {
    Origin.FileLine line = (Origin.FileLine) record.origin();
    return new RawRecord(
        record.bytes(), new Origin.FileLine(line.file(), line.offset(), null), record.arrivedAt());
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
