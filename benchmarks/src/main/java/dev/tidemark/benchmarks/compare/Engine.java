package dev.tidemark.benchmarks.compare;

import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** What can run the jobs, in a process of its own. */
interface Engine {
  /** Of all processes. */
  String HEAP = "2g";

  /** How many of the engine's threads or slots work at a time. */
  int PARALLELISM = 2;

  /** As {@code --engines} has it. */
  String name();

  /** Whether it can run a job at all. */
  boolean runs(Job job);

  /** A process, not started, that reads the input and writes the output, which is not there yet. */
  ProcessBuilder process(Job job, Path input, Path output) throws IOException;

  /**
   * Whether the process, which would go on, is to be stopped. Asked again and again while it runs.
   *
   * @param answer the lines that it is to write
   */
  default boolean isDone(Set<String> answer) {
    return false;
  }

  /** A measurement of the process that has just ended, with what else the engine knows of it. */
  default Measurement completed(Measurement measurement) throws IOException {
    return measurement;
  }

  /** Lines {@code key,start,end,value…} of what a process has written, in any order. */
  List<String> answer(Path output) throws IOException;
}
