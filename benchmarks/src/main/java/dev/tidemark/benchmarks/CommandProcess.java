package dev.tidemark.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * The {@code tidemark} command in a process of its own, started as users start it: by the launcher,
 * of the checkout that the benchmark is run in.
 */
public final class CommandProcess {
  private static final String LAUNCHER = "./tidemark";

  private CommandProcess() {}

  /**
   * To be started. The launcher becomes the command, so the process is the command's.
   *
   * @param heap the heap's size, 512m say
   */
  public static ProcessBuilder of(String heap, String... args) {
    List<String> command = new ArrayList<>(List.of(LAUNCHER));
    command.addAll(List.of(args));
    ProcessBuilder process = new ProcessBuilder(command).inheritIO();
    process.environment().put("TIDEMARK_JAVA_OPTS", "-Xmx" + heap);
    return process;
  }
}
