package dev.tidemark.benchmarks.compare;

import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Kafka Streams, over the lines of the files in a topic, which is filled before any time counts.
 */
final class KafkaStreamsEngine implements Engine {
  private static final Set<Job> JOBS = EnumSet.of(Job.J1, Job.J3, Job.J5);

  private final PeerEngine peer =
      new PeerEngine(
          "kafka-streams",
          "kafka-streams",
          "dev.tidemark.benchmarks.kafkastreams.KafkaStreamsPeer",
          "",
          List.of());
  private final Topics topics;

  KafkaStreamsEngine(Topics topics) {
    this.topics = topics;
  }

  @Override
  public String name() {
    return peer.name();
  }

  @Override
  public boolean runs(Job job) {
    return JOBS.contains(job);
  }

  @Override
  public ProcessBuilder process(Job job, Path input, Path output) throws IOException {
    return process(job, input, output.toString());
  }

  /** With an output of its own: a directory, or a topic if the job is over topics. */
  ProcessBuilder process(Job job, Path input, String output) throws IOException {
    String topic = topics.of(input);
    return peer.process(
        List.of(
            job.name(),
            topics.bootstrapServers(),
            topic,
            Long.toString(topics.lines(input)),
            output,
            Integer.toString(PARALLELISM)));
  }

  @Override
  public List<String> answer(Path output) throws IOException {
    return peer.answer(output);
  }
}
