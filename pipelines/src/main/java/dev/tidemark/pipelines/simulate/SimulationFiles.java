package dev.tidemark.pipelines.simulate;

import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The three files that a simulation writes, in the order of its steps. */
final class SimulationFiles {
  static final String RESULTS = "results.ndjson";
  static final String TOO_LATE = "too-late.ndjson";
  static final String DEAD_LETTERS = "dead-letters.ndjson";

  private final Path directory;

  private SimulationFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * The files in a directory, which is created when they are written.
   *
   * @param overwrite whether the directory may hold files already
   * @throws UsageException if the files cannot be written there
   */
  static SimulationFiles in(Path directory, boolean overwrite) throws UsageException {
    if (!Files.isDirectory(directory) && Files.exists(directory)) {
      throw new UsageException("--output=" + directory + ": is not a directory");
    }
    if (!overwrite && !isEmpty(directory)) {
      throw new UsageException(
          "--output=" + directory + ": holds files; give another directory, or --overwrite");
    }
    if (!Files.isWritable(existing(directory))) {
      throw new UsageException("--output=" + directory + ": cannot be written to");
    }
    return new SimulationFiles(directory);
  }

  void write(Policy policy, List<Played> played) throws IOException {
    Files.createDirectories(directory);
    Stream<String> results =
        played.stream().flatMap(p -> p.results().stream()).map(r -> ResultJson.line(policy, r));
    Stream<String> tooLate =
        played.stream().flatMap(p -> p.tooLate().stream()).map(t -> ResultJson.line(policy, t));
    Stream<String> deadLetters =
        played.stream().flatMap(p -> p.deadLetters().stream()).map(DeadLetterJson::line);
    Files.write(directory.resolve(RESULTS), results.toList());
    Files.write(directory.resolve(TOO_LATE), tooLate.toList());
    Files.write(directory.resolve(DEAD_LETTERS), deadLetters.toList());
  }

  private static boolean isEmpty(Path directory) throws UsageException {
    if (!Files.exists(directory)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    } catch (IOException e) {
      throw new UsageException("--output=" + directory + ": cannot be read");
    }
  }

  /** The directory, or the nearest one above it that exists. */
  private static Path existing(Path directory) {
    Path existing = directory.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing;
  }
}
