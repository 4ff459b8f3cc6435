package dev.tidemark.benchmarks.compare;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Files of clicks, made once and the same for the same number. Each event happened up to 30 seconds
 * before its place in the order says, over two hours in all. Events go to the files in turn, as a
 * topic's would to its partitions, so each file spans the whole time.
 */
final class ClickFiles {
  private static final Instant START = Instant.parse("2024-07-04T10:00:00Z");
  private static final long SPAN_MILLIS = 7_200_000;
  private static final int DISORDER_MILLIS = 30_000;
  private static final int FILES = 2;
  private static final int URLS = 1_000;
  private static final int USERS = 100_000;
  private static final double HOT_SHARE = 0.8;

  private ClickFiles() {}

  /**
   * The directory of the files.
   *
   * @param hot whether four fifths of the clicks are on one url
   */
  static Path of(Path parent, long events, boolean hot) throws IOException {
    Path directory = parent.resolve("clicks-" + events + (hot ? "-hot" : ""));
    if (!Files.exists(directory)) {
      Path unfinished = Files.createTempDirectory(Files.createDirectories(parent), "clicks");
      write(unfinished, events, hot);
      Files.move(unfinished, directory);
    }
    return directory;
  }

  private static void write(Path directory, long events, boolean hot) throws IOException {
    Random random = new Random(events);
    List<BufferedWriter> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(Files.newBufferedWriter(directory.resolve("clicks-" + i + ".ndjson")));
    }
    for (long i = 0; i < events; i++) {
      long millis = i * SPAN_MILLIS / events - random.nextInt(DISORDER_MILLIS);
      files.get((int) (i % FILES)).write(line(START.plusMillis(millis), hot, random));
    }
    for (BufferedWriter file : files) {
      file.close();
    }
  }

  private static String line(Instant time, boolean hot, Random random) {
    int url = hot && random.nextDouble() < HOT_SHARE ? 0 : random.nextInt(URLS);
    return "{\"ts\":\"%s\",\"url\":\"/p/%d\",\"user\":\"u%d\",\"bytes\":%d,\"method\":\"GET\",\"status\":200,\"referrer\":\"https://example.com/\",\"agent\":\"Mozilla/5.0 (X11)\"}\n"
        .formatted(text(time), url, random.nextInt(USERS), 200 + random.nextInt(100_000));
  }

  /** Always with three digits of milliseconds. */
  private static String text(Instant time) {
    String text = time.truncatedTo(ChronoUnit.SECONDS).toString();
    return "%s.%03dZ".formatted(text.substring(0, text.length() - 1), time.toEpochMilli() % 1_000);
  }
}
