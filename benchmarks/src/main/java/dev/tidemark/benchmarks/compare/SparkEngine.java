package dev.tidemark.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An engine on Spark, which tells the bytes that it shuffles, and those of a stream's state, in its
 * event log.
 *
 * @param eventLog the directory that the engine was told, emptied before each run
 */
record SparkEngine(Engine engine, Path eventLog) implements Engine {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public boolean runs(Job job) {
    return engine.runs(job);
  }

  @Override
  public ProcessBuilder process(Job job, Path input, Path output) throws IOException {
    Comparison.delete(eventLog);
    Files.createDirectories(eventLog);
    return engine.process(job, input, output);
  }

  @Override
  public Measurement completed(Measurement measurement) throws IOException {
    long shuffled = 0;
    Long state = null;
    for (String line : OutputFiles.lines(eventLog)) {
      JsonNode event = JSON.readTree(line);
      shuffled += shuffledBytes(event);
      Long newest = stateBytes(event);
      state = newest == null ? state : newest;
    }
    return measurement.withMebibytes(
        shuffled / Measurement.BYTES_A_MEBIBYTE,
        state == null ? null : state / Measurement.BYTES_A_MEBIBYTE);
  }

  /** That a task has written, if it is a task's end. */
  private static long shuffledBytes(JsonNode event) {
    return event
        .path("Task Metrics")
        .path("Shuffle Write Metrics")
        .path("Shuffle Bytes Written")
        .asLong();
  }

  /** After a micro-batch, if it is a stream's progress; null otherwise. */
  private static @Nullable Long stateBytes(JsonNode event) {
    List<JsonNode> operators = event.path("progress").findValues("memoryUsedBytes");
    return operators.isEmpty() ? null : operators.stream().mapToLong(JsonNode::asLong).sum();
  }

  @Override
  public List<String> answer(Path output) throws IOException {
    return engine.answer(output);
  }
}
