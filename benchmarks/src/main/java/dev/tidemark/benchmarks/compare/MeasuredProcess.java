package dev.tidemark.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a process and tells what it took. Linux only. One at a time: the processor time is what this
 * process's children took that have ended meanwhile.
 */
final class MeasuredProcess {
  private static final int SAMPLE_MILLIS = 50;

  /** Of the clock that {@code /proc} counts in, the same on every Linux. */
  private static final double TICKS_A_SECOND = 100;

  private static final double KIBIBYTES_A_MEBIBYTE = 1024;

  /** What a peer prints, and what {@code tidemark run} does. */
  private static final Pattern JOB_SECONDS =
      Pattern.compile("(?:job seconds: |read [0-9,]+ records in )([0-9.]+)");

  private static final Pattern SHUFFLED_BYTES = Pattern.compile("shuffled bytes: ([0-9]+)");
  private static final Pattern STATE_BYTES = Pattern.compile("state bytes: ([0-9]+)");

  private MeasuredProcess() {}

  /**
   * Waits for the process to end, or to be done, and kills it then.
   *
   * @param isDone asked some twenty times a second
   * @param log where its standard output and error go
   * @throws IOException if it fails
   */
  static Measurement run(ProcessBuilder builder, BooleanSupplier isDone, Path log)
      throws IOException, InterruptedException {
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    double cpuBefore = cpuSecondsOfChildren();
    long start = System.nanoTime();
    Process process = builder.start();
    double peak = 0;
    boolean done = false;
    try {
      process.getOutputStream().close();
      while (!done && !process.waitFor(SAMPLE_MILLIS, TimeUnit.MILLISECONDS)) {
        peak = Math.max(peak, peakMebibytes(process));
        done = isDone.getAsBoolean();
      }
    } finally {
      process.destroyForcibly();
    }
    double wall = (System.nanoTime() - start) / 1e9;
    if (process.waitFor() != 0 && !done) {
      throw new IOException("exit code " + process.exitValue() + "; see " + log);
    }
    double cpu = cpuSecondsOfChildren() - cpuBefore;
    String told = Files.readString(log);
    return new Measurement(
        wall,
        cpu,
        last(JOB_SECONDS, told, 1),
        peak,
        last(SHUFFLED_BYTES, told, Measurement.BYTES_A_MEBIBYTE),
        last(STATE_BYTES, told, Measurement.BYTES_A_MEBIBYTE),
        null);
  }

  private static double cpuSecondsOfChildren() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    // The name, which comes second, may have blanks in it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_A_SECOND;
  }

  /** So far; 0 of a process that has just ended. */
  private static double peakMebibytes(Process process) throws IOException {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToDouble(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / KIBIBYTES_A_MEBIBYTE)
          .findFirst()
          .orElse(0);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** A figure, of which the last that was told stands. */
  private static @Nullable Double last(Pattern pattern, String told, double unit) {
    return pattern
        .matcher(told)
        .results()
        .reduce((earlier, later) -> later)
        .map(result -> Double.parseDouble(result.group(1)) / unit)
        .orElse(null);
  }
}
