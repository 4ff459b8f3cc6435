package dev.tidemark.benchmarks.compare;

import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Kafka Streams, over the lines of the files in a topic, which is filled before any time counts.
 * The broker's processor time is not counted, but the broker works on the same cores.
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
  private final Map<Path, Long> filled = new HashMap<>();
  private @Nullable BrokerProcess broker;

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
    if (broker == null) {
      broker = BrokerProcess.start();
    }
    String topic = input.getFileName().toString();
    if (!filled.containsKey(input)) {
      filled.put(input, broker.fill(input));
    }
    return peer.process(
        List.of(
            job.name(),
            broker.bootstrapServers(),
            topic,
            filled.get(input).toString(),
            output.toString(),
            Integer.toString(PARALLELISM)));
  }

  @Override
  public List<String> answer(Path output) throws IOException {
    return peer.answer(output);
  }
}
