package dev.tidemark.pipelines.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.dlq.ParseEvents;
import dev.tidemark.event.WallClock;
import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.run.Conservation;
import dev.tidemark.pipelines.run.Counts;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.WindowedAggregation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * A pipeline over topics that runs in this process until the test stops it, and whose output the
 * test sees as it comes. One at a time.
 */
final class LiveRun implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration STOP_AFTER = Duration.standardDays(1);
  private static final Map<String, Queue<String>> LANES = new ConcurrentHashMap<>();
  private static volatile boolean stopping;

  private final Policy policy;
  private final PipelineResult running;

  private LiveRun(Policy policy, PipelineResult running) {
    this.policy = policy;
    this.running = running;
  }

  /** Starts a run with the options that say what to read. */
  static LiveRun start(Policy policy, String... options) throws UsageException {
    stopping = false;
    LANES.clear();
    RunOptions runOptions = PipelineOptionsFactory.fromArgs(options).as(RunOptions.class);
    runOptions.setRunner(DirectRunner.class);
    runOptions.as(DirectOptions.class).setBlockOnRun(false);
    Pipeline pipeline = Pipeline.create(runOptions);
    ParseEvents.Output parsed =
        pipeline
            .apply(
                "Read topics",
                new KafkaSource(KafkaInput.of(runOptions), List.of(policy), clock(), STOP_AFTER))
            .apply("Each record", Flatten.iterables())
            .apply("Parse", ParseEvents.of(policy));
    WindowedAggregation.Output aggregated =
        parsed
            .events()
            .apply("Aggregate", WindowedAggregation.of(policy).withWallClock(WallClock.SYSTEM));
    collect(parsed.deadLetters(), "dead-letters", DeadLetterJson::line);
    collect(aggregated.results(), "results", result -> ResultJson.line(policy, result));
    collect(aggregated.tooLate(), "too-late", late -> ResultJson.line(policy, late));
    return new LiveRun(policy, pipeline.run());
  }

  private static <T> void collect(
      PCollection<T> elements, String lane, SerializableFunction<T, String> line) {
    elements.apply("Collect " + lane, ParDo.of(new CollectFn<>(lane, line)));
  }

  /** Jumps behind the end of the run once the test stops it. */
  private static WallClock clock() {
    return () -> stopping ? Instant.now().plus(STOP_AFTER) : Instant.now();
  }

  /** Whether the source has told a watermark, and so knows where it is. */
  boolean isReading() {
    return running
        .metrics()
        .queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.named("tidemark", "watermark"))
                .build())
        .getGauges()
        .iterator()
        .hasNext();
  }

  Counts counts() {
    return Counts.of(running.metrics());
  }

  /** Reads no more, lets every window fire, and waits for the end. */
  void stop() {
    stopping = true;
    running.waitUntilFinish();
  }

  /** What does not add up, a line each. */
  List<String> imbalances() {
    return Conservation.imbalances(policy, counts());
  }

  /** The lines of a lane so far. */
  List<JsonNode> lines(String lane) throws JsonProcessingException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : LANES.getOrDefault(lane, new ConcurrentLinkedQueue<>())) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    if (!running.getState().isTerminal()) {
      running.cancel();
    }
  }

  static final class CollectFn<T> extends DoFn<T, Void> {
    private final String lane;
    private final SerializableFunction<T, String> line;

    CollectFn(String lane, SerializableFunction<T, String> line) {
      this.lane = lane;
      this.line = line;
    }

    @ProcessElement
    public void collect(@Element T element) {
      LANES.computeIfAbsent(lane, unused -> new ConcurrentLinkedQueue<>()).add(line.apply(element));
    }
  }
}
