package dev.tidemark.benchmarks.compare;

import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A main class of a module under {@code peers}, in a JVM with the same collector as Tidemark's.
 *
 * @param module its directory
 * @param jvmOptions a file of options for the JVM; empty if it needs none
 * @param options of its own, behind those that all peers take
 */
record PeerEngine(
    String name, String module, String mainClass, String jvmOptions, List<String> options)
    implements Engine {
  private static final String QUIET = "-Djava.util.logging.config.file=testkit/logging.properties";
  private static final Path PEERS = Path.of("benchmarks", "peers");

  @Override
  public boolean runs(Job job) {
    return !job.isOverTopics();
  }

  @Override
  public ProcessBuilder process(Job job, Path input, Path output) throws IOException {
    return process(job, input.toString(), output.toString(), List.of());
  }

  /** From and to whatever the peer takes, with options behind its own. */
  ProcessBuilder process(Job job, String input, String output, List<String> more)
      throws IOException {
    List<String> args =
        new ArrayList<>(List.of(job.name(), input, output, Integer.toString(PARALLELISM)));
    args.addAll(options);
    args.addAll(more);
    return process(args);
  }

  /** With arguments of its own. */
  ProcessBuilder process(List<String> args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (!jvmOptions.isEmpty()) {
      command.add("@" + jvmOptions);
    }
    command.addAll(
        List.of("-Xmx" + HEAP, "-XX:+UseParallelGC", QUIET, "-cp", classPath(), mainClass));
    command.addAll(args);
    return new ProcessBuilder(command);
  }

  private String classPath() throws IOException {
    return String.join(
        ":",
        PEERS.resolve(module).resolve("target/classes").toString(),
        PEERS.resolve("plain/target/classes").toString(),
        Files.readString(PEERS.resolve(module).resolve("target/classpath")));
  }

  @Override
  public List<String> answer(Path output) throws IOException {
    return OutputFiles.lines(output);
  }
}
