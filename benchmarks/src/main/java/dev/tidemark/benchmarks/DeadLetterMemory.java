package dev.tidemark.benchmarks;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How much memory {@code tidemark run} takes for records that are all dead letters, of ten reasons
 * in turn, and what files it makes of them. Runs the command in a process of its own with a heap of
 * the given size, and prints the time, the highest resident size, and how many files of dead
 * letters of which sizes there are. Linux only: the size is that of {@code /proc}.
 *
 * <pre>
 * mvn -B -pl benchmarks -am package -DskipTests dependency:copy-dependencies -DoutputDirectory=target/lib
 * java -cp 'benchmarks/target/classes:benchmarks/target/lib/*' dev.tidemark.benchmarks.DeadLetterMemory 1000000 512m
 * </pre>
 *
 * <p>The arguments are the number of records and the heap's size.
 */
public final class DeadLetterMemory {
  private static final String POLICY =
      """
      metric: m
      version: "1"
      timestamp: /t
      key: {k: /k}
      window: {fixed: {size: 1m}}
      aggregates: {sum: {sum: /v}}
      """;
  private static final List<String> BROKEN =
      List.of(
          "{\"k\":\"a%d\",\"t\":\"2026-07-04T10:00:00Z\",\"v\":", // NOT_JSON
          "[%d]", // NOT_AN_OBJECT
          "[%d," + "[".repeat(1_000), // TOO_LARGE
          "{\"k\":\"a%d\",\"v\":1}", // MISSING_TIMESTAMP
          "{\"k\":\"a%d\",\"t\":\"today\",\"v\":1}", // BAD_TIMESTAMP
          "{\"k\":\"a%d\",\"t\":\"9999-07-04T10:00:00Z\",\"v\":1}", // FUTURE_TIMESTAMP
          "{\"t\":\"2026-07-04T10:00:00Z\",\"v\":%d}", // MISSING_KEY
          "{\"k\":[%d],\"t\":\"2026-07-04T10:00:00Z\",\"v\":1}", // BAD_KEY
          "{\"k\":\"a%d\",\"t\":\"2026-07-04T10:00:00Z\"}", // MISSING_FIELD
          "{\"k\":\"a%d\",\"t\":\"2026-07-04T10:00:00Z\",\"v\":\"x\"}"); // BAD_FIELD

  private DeadLetterMemory() {}

  /** Runs the benchmark. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int records = Integer.parseInt(args[0]);
    Path directory = Files.createTempDirectory("dead-letter-memory");
    Files.writeString(directory.resolve("policy.yaml"), POLICY);
    writeRecords(directory.resolve("events.ndjson"), records);
    long start = System.nanoTime();
    long kibibytes = peakOf(command(directory, args[1]));
    System.out.printf(
        "%,d records, heap of %s: %d s, at most %,d MiB resident%n",
        records, args[1], (System.nanoTime() - start) / 1_000_000_000, kibibytes >> 10);
    printFiles(directory.resolve("out/dead-letters"));
    System.out.println("all of it is in " + directory);
  }

  private static void writeRecords(Path file, int records) throws IOException {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      for (int i = 0; i < records; i++) {
        writer.write(BROKEN.get(i % BROKEN.size()).formatted(i));
        writer.newLine();
      }
    }
  }

  private static ProcessBuilder command(Path directory, String heap) {
    return CommandProcess.of(
        heap,
        "run",
        "--policy=" + directory.resolve("policy.yaml"),
        "--input=" + directory.resolve("events.ndjson"),
        "--output=" + directory.resolve("out"));
  }

  private static long peakOf(ProcessBuilder command) throws IOException, InterruptedException {
    Process process = command.start();
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    long peak = 0;
    while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, highWaterMark(status));
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException("the command failed: " + process.exitValue());
    }
    return peak;
  }

  /** In kibibytes; 0 of a process that has just gone. */
  private static long highWaterMark(Path status) {
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException | java.io.UncheckedIOException gone) {
      return 0;
    }
  }

  private static void printFiles(Path deadLetters) throws IOException {
    try (Stream<Path> paths = Files.walk(deadLetters)) {
      List<Long> sizes =
          paths.filter(Files::isRegularFile).map(file -> file.toFile().length()).sorted().toList();
      System.out.printf(
          "%d files of %,d to %,d KiB, half of them below %,d KiB, %,d MiB in all%n",
          sizes.size(),
          sizes.get(0) >> 10,
          sizes.get(sizes.size() - 1) >> 10,
          sizes.get(sizes.size() / 2) >> 10,
          sizes.stream().mapToLong(Long::longValue).sum() >> 20);
    }
  }
}
