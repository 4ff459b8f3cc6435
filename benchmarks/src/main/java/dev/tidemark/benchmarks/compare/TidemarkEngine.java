package dev.tidemark.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.benchmarks.CommandProcess;
import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code tidemark run}.
 *
 * @param javaOptions of its JVM, besides the heap
 * @param options choose the runner and its parallelism
 */
record TidemarkEngine(String name, List<String> javaOptions, List<String> options)
    implements Engine {
  private static final String JAVA_OPTIONS = "TIDEMARK_JAVA_OPTS";
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public boolean runs(Job job) {
    return !job.isOverTopics();
  }

  @Override
  public ProcessBuilder process(Job job, Path input, Path output) {
    return process(args(Path.of(""), job, input, output));
  }

  /** With arguments of its own, before the options. */
  ProcessBuilder process(List<String> args) {
    List<String> all = new ArrayList<>(args);
    all.addAll(options);
    ProcessBuilder process = CommandProcess.of(HEAP, all.toArray(String[]::new));
    javaOptions.forEach(
        option ->
            process
                .environment()
                .computeIfPresent(JAVA_OPTIONS, (n, before) -> before + " " + option));
    return process;
  }

  /**
   * Of the command, on whatever runner.
   *
   * @param root of the checkout
   */
  static List<String> args(Path root, Job job, Path input, Path output) {
    String policy = (job == Job.J5 ? Job.J1 : job) + ".yaml";
    return List.of(
        "run",
        "--policy=" + root.resolve("benchmarks/policies").resolve(policy),
        "--input=" + input + "/*.ndjson",
        "--output=" + output);
  }

  /** Over files nothing is late, so the final results are the answer. */
  @Override
  public List<String> answer(Path output) throws IOException {
    return OutputFiles.lines(output.resolve("results")).stream()
        .filter(result -> result.contains("\"resultKind\":\"FINAL\""))
        .map(TidemarkEngine::line)
        .toList();
  }

  /** Of the answer, from a result. */
  static String line(String result) {
    try {
      JsonNode json = JSON.readTree(result);
      StringBuilder line = new StringBuilder(json.get("key").elements().next().asText());
      line.append(',').append(Instant.parse(json.get("windowStart").asText()).toEpochMilli());
      line.append(',').append(Instant.parse(json.get("windowEnd").asText()).toEpochMilli());
      json.get("value").elements().forEachRemaining(v -> line.append(',').append(v.asText()));
      return line.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
