package dev.tidemark.benchmarks;

import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.AggregateEvents;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.FileDestination;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.kafka.KafkaSource;
import dev.tidemark.pipelines.run.Counts;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * How much records that are no events slow the others down: a topic full of records is read on
 * DirectRunner to its end, without poison and with 30 % in turn. Prints the median rate of each.
 *
 * <pre>
 * mvn -B -pl benchmarks -am package -DskipTests dependency:copy-dependencies -DoutputDirectory=target/lib
 * java -cp 'benchmarks/target/classes:benchmarks/target/lib/*' dev.tidemark.benchmarks.PoisonCost 20000 5
 * </pre>
 *
 * <p>The arguments are the number of records and of runs of each kind.
 */
public final class PoisonCost {
  private static final String POLICY =
      """
      metric: load
      version: "1"
      timestamp: /t
      key: {k: /k}
      window: {fixed: {size: 1m}}
      aggregates: {n: count}
      """;

  private PoisonCost() {}

  /** Runs the benchmark. */
  public static void main(String[] args) throws Exception {
    int records = Integer.parseInt(args[0]);
    int runs = Integer.parseInt(args[1]);
    Map<Integer, List<Double>> rates =
        new TreeMap<>(Map.of(0, new ArrayList<>(), 30, new ArrayList<>()));
    try (KafkaBroker broker = KafkaBroker.start()) {
      for (int percent : rates.keySet()) {
        broker.createTopic("poison-" + percent, 2);
        broker.produce(records("poison-" + percent, records, percent));
      }
      for (int i = -1; i < runs; i++) {
        for (int percent : rates.keySet()) {
          double rate = rate(broker, "poison-" + percent, records);
          if (i >= 0) { // the first warms up
            rates.get(percent).add(rate);
          }
        }
      }
    }
    rates.forEach(
        (percent, all) ->
            System.out.printf(
                "%d %% poison: %,.0f records a second%n",
                percent, all.stream().sorted().toList().get(all.size() / 2)));
  }

  private static List<ProducerRecord<byte[], byte[]>> records(
      String topic, int records, int percent) {
    List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      String record =
          i % 100 < percent
              ? "{\"t\":"
              : "{\"t\":%d,\"k\":\"k%d\"}".formatted(1_780_000_000_000L + i, i % 1_000);
      all.add(new ProducerRecord<>(topic, i % 2, null, record.getBytes(StandardCharsets.UTF_8)));
    }
    return all;
  }

  private static double rate(KafkaBroker broker, String topic, int records)
      throws IOException, InterruptedException, PolicyException, UsageException {
    Policy policy = PolicyLoader.parse(POLICY, "policy.yaml");
    RunOptions options =
        PipelineOptionsFactory.fromArgs(
                "--bootstrapServers=" + broker.bootstrapServers(), "--topic=" + topic)
            .as(RunOptions.class);
    options.setRunner(DirectRunner.class);
    DirectOptions direct = options.as(DirectOptions.class);
    direct.setBlockOnRun(false);
    direct.setEnforceEncodability(false);
    direct.setEnforceImmutability(false);
    direct.setTargetParallelism(2);
    String output = Files.createTempDirectory("poison").toString();
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Read topics", KafkaSource.of(options, List.of(policy)))
        .apply(
            policy.metric(),
            AggregateEvents.of(policy, FileDestination.of(new OutputDirectory(output), "run")));
    long start = System.nanoTime();
    PipelineResult result = pipeline.run();
    while (Counts.of(result.metrics()).read() < records) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    result.cancel();
    return records / seconds;
  }
}
