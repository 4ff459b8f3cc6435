package dev.tidemark.benchmarks;

import dev.tidemark.pipelines.TidemarkCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The {@code tidemark} command in a process of its own, with this one's class path. */
final class CommandProcess {
  private CommandProcess() {}

  /**
   * To be started.
   *
   * @param heap the heap's size, 512m say
   */
  static ProcessBuilder of(String heap, String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC", // as the launcher does
                "-Xmx" + heap,
                "-cp",
                System.getProperty("java.class.path"),
                TidemarkCommand.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).inheritIO();
  }
}
