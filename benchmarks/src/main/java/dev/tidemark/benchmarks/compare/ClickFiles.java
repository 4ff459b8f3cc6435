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
 * topic's would to its partitions, so each file spans the whole time. There are at most 1,000 urls
 * and 100,000 users, and fewer of few events.
 */
final class ClickFiles {
  private static final Instant START = Instant.parse("2024-07-04T10:00:00Z");
  private static final long SPAN_MILLIS = 7_200_000;
  private static final int DISORDER_MILLIS = 30_000;
  private static final int FILES = 2;
  private static final int MAX_URLS = 1_000;
  private static final int MAX_USERS = 100_000;
  private static final double HOT_SHARE = 0.8;
  private static final int MIN_BYTES = 200;
  private static final int MAX_BYTES = 100_000;
  private static final String LINE =
      "{\"ts\":\"%s\",\"url\":\"/p/%d\",\"user\":\"u%d\",\"bytes\":%d,\"method\":\"GET\","
          + "\"status\":200,\"referrer\":\"https://example.com/\",\"agent\":\"Mozilla/5.0 (X11)\"}\n";

  private final int urls;
  private final int users;
  private final boolean hot;
  private final Random random;

  private ClickFiles(long events, boolean hot) {
    this.urls = (int) Math.min(MAX_URLS, Math.max(1, events / 10));
    this.users = (int) Math.min(MAX_USERS, Math.max(1, events / 5));
    this.hot = hot;
    this.random = new Random(events);
  }

  /**
   * The directory of the files.
   *
   * @param hot whether four fifths of the clicks are on one url
   */
  static Path of(Path parent, long events, boolean hot) throws IOException {
    Path directory = parent.resolve("clicks-" + events + (hot ? "-hot" : ""));
    if (!Files.exists(directory)) {
      Path unfinished = Files.createTempDirectory(Files.createDirectories(parent), "clicks");
      new ClickFiles(events, hot).write(unfinished, events);
      Files.move(unfinished, directory);
    }
    return directory;
  }

  private void write(Path directory, long events) throws IOException {
    List<BufferedWriter> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(Files.newBufferedWriter(directory.resolve("clicks-" + i + ".ndjson")));
    }
    for (long i = 0; i < events; i++) {
      long millis = i * SPAN_MILLIS / events - random.nextInt(DISORDER_MILLIS);
      files.get((int) (i % FILES)).write(line(START.plusMillis(millis)));
    }
    for (BufferedWriter file : files) {
      file.close();
    }
  }

  private String line(Instant time) {
    int url = hot && random.nextDouble() < HOT_SHARE ? 0 : random.nextInt(urls);
    return LINE.formatted(
        text(time), url, random.nextInt(users), MIN_BYTES + random.nextInt(MAX_BYTES - MIN_BYTES));
  }

  /** Always with three digits of milliseconds. */
  private static String text(Instant time) {
    String text = time.truncatedTo(ChronoUnit.SECONDS).toString();
    return "%s.%03dZ".formatted(text.substring(0, text.length() - 1), time.toEpochMilli() % 1_000);
  }
}
