package dev.tidemark.benchmarks.compare;

import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Runs one job on several engines in turn, and holds them to one answer. */
final class Comparison {
  private final Job job;
  private final Path input;
  private final Path scratch;
  private final Set<String> expected;

  private Comparison(Job job, Path input, Path scratch, Set<String> expected) {
    this.job = job;
    this.input = input;
    this.scratch = scratch;
    this.expected = expected;
  }

  /**
   * A comparison.
   *
   * @param reference whose answer all engines must give
   * @param scratch a directory for outputs and logs
   */
  static Comparison of(Job job, Engine reference, Path input, Path scratch)
      throws IOException, InterruptedException {
    Comparison unchecked = new Comparison(job, input, scratch, Set.of());
    unchecked.measure(reference);
    Set<String> expected = new LinkedHashSet<>(unchecked.answer(reference));
    return new Comparison(job, input, scratch, expected);
  }

  /**
   * The runs of each engine; those of the same place in the lists ran one after the other. An
   * engine that fails, or gives another answer, is named and left out.
   */
  Map<Engine, List<Measurement>> run(List<Engine> engines, int warmup, int runs)
      throws InterruptedException {
    Map<Engine, List<Measurement>> measurements = new LinkedHashMap<>();
    engines.forEach(engine -> measurements.put(engine, new ArrayList<>()));
    for (int round = -warmup; round < runs; round++) {
      for (Engine engine : List.copyOf(measurements.keySet())) {
        try {
          Measurement measurement = measured(engine);
          if (round >= 0) {
            measurements.get(engine).add(measurement);
          }
        } catch (IOException e) {
          System.err.println(job + " " + engine.name() + ": " + e.getMessage());
          measurements.remove(engine);
        }
      }
    }
    return measurements;
  }

  private Measurement measured(Engine engine) throws IOException, InterruptedException {
    Measurement measurement = measure(engine);
    check(engine);
    System.err.printf(
        "%s %s: %.1f s, cpu %.1f s%n",
        job, engine.name(), measurement.wallSeconds(), measurement.cpuSeconds());
    return measurement;
  }

  private Measurement measure(Engine engine) throws IOException, InterruptedException {
    delete(output(engine));
    return engine.completed(
        MeasuredProcess.run(
            engine.process(job, input, output(engine)),
            () -> engine.isDone(expected),
            scratch.resolve(engine.name() + ".log")));
  }

  private void check(Engine engine) throws IOException {
    List<String> answer = answer(engine);
    if (!answer.equals(List.copyOf(expected))) {
      throw new IOException(
          "another answer: %,d lines for %,d; missing %s; not expected %s"
              .formatted(
                  answer.size(),
                  expected.size(),
                  firstWithout(expected, answer),
                  firstWithout(answer, expected)));
    }
  }

  private List<String> answer(Engine engine) throws IOException {
    return engine.answer(output(engine)).stream().sorted().toList();
  }

  private static List<String> firstWithout(Collection<String> lines, Collection<String> others) {
    return lines.stream().filter(Predicate.not(new HashSet<>(others)::contains)).limit(3).toList();
  }

  private Path output(Engine engine) {
    return scratch.resolve(engine.name());
  }

  static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> paths = Files.walk(directory)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
