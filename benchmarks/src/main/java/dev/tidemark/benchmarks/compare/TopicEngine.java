package dev.tidemark.benchmarks.compare;

import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An engine from topic to topic: it reads the lines of the files from a topic that is filled before
 * any time counts, and goes on until its output topic has the answer.
 */
final class TopicEngine implements Engine {
  private final String name;
  private final Topics topics;
  private final Command command;
  private final UnaryOperator<String> line;
  private @Nullable OutputTopic output;

  /** How an engine is told its topics. */
  @FunctionalInterface
  interface Command {
    ProcessBuilder of(Job job, Path input, String outputTopic) throws IOException;
  }

  /**
   * An engine.
   *
   * @param line of the answer, from the value of a record
   */
  TopicEngine(String name, Topics topics, Command command, UnaryOperator<String> line) {
    this.name = name;
    this.topics = topics;
    this.command = command;
    this.line = line;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean runs(Job job) {
    return job.isOverTopics();
  }

  @Override
  public ProcessBuilder process(Job job, Path input, Path unused) throws IOException {
    if (output != null) {
      output.close();
    }
    String topic = topics.create();
    output = OutputTopic.of(topics.bootstrapServers(), topic, line);
    return command.of(job, input, topic);
  }

  @Override
  public boolean isDone(Set<String> answer) {
    return Objects.requireNonNull(output).isDone(answer);
  }

  @Override
  public Measurement completed(Measurement measurement) {
    return measurement.withResults(Objects.requireNonNull(output).results());
  }

  @Override
  public List<String> answer(Path unused) {
    return Objects.requireNonNull(output).lines();
  }
}
