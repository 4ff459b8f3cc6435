package dev.tidemark.benchmarks.plain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The jobs without any engine: a thread a file, maps, and one merge at the end. No disorder, no
 * lateness, no bad record and no failure is provided for: this is the limit, not a peer.
 */
public final class PlainJava {

  private PlainJava() {}

  /**
   * Runs a job.
   *
   * @param args the job, the directory of the clicks and that of the answer, which is made
   */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    Path output = Files.createDirectories(Path.of(args[2]));
    Files.write(output.resolve("answer.csv"), answer(Job.valueOf(args[0]), Path.of(args[1])));
    System.out.printf("job seconds: %.3f%n", (System.nanoTime() - start) / 1e9);
  }

  /** A line for each key and window, {@code key,start,end,value…}, times in milliseconds. */
  public static List<String> answer(Job job, Path input)
      throws IOException, InterruptedException, ExecutionException {
    return switch (job) {
      case J1, J5, J6 -> answer(job, input, () -> new FixedTally<>(job, CountAndSum::new));
      case J2 -> answer(job, input, SlidingTally::new);
      case J3 -> answer(job, input, SessionTally::new);
      case J4 -> answer(job, input, () -> new FixedTally<>(job, DistinctUsers::new));
    };
  }

  private static <T extends Tally<T>> List<String> answer(Job job, Path input, Supplier<T> empty)
      throws IOException, InterruptedException, ExecutionException {
    List<Path> files;
    try (Stream<Path> all = Files.list(input)) {
      files = all.toList();
    }
    ExecutorService threads = Executors.newFixedThreadPool(files.size());
    try {
      List<Future<T>> tallies = new ArrayList<>();
      for (Path file : files) {
        tallies.add(threads.submit(() -> tally(job, file, empty.get())));
      }
      T merged = empty.get();
      for (Future<T> tally : tallies) {
        merged.merge(tally.get());
      }
      return merged.lines();
    } finally {
      threads.shutdown();
    }
  }

  private static <T extends Tally<T>> T tally(Job job, Path file, T tally) throws IOException {
    Clicks.read(file, job, tally::add);
    return tally;
  }
}
