package dev.tidemark.transforms;

import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.testkit.Step;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.TimestampedValue;

/** What the real transforms make of a script, each event in a bundle of its own. */
record ScriptedRun(
    List<WindowResult> results, List<TooLateEvent> tooLate, Map<String, Long> counters) {

  /** Plays the script on DirectRunner under TestStream. */
  static ScriptedRun of(Policy policy, List<Step> steps) {
    TestPipeline pipeline = PipelineExtension.newPipeline();
    WindowedAggregation.Output output =
        pipeline.apply(stream(steps)).apply(policy.metric(), WindowedAggregation.of(policy));
    Gather<WindowResult> results = new Gather<>();
    Gather<TooLateEvent> tooLate = new Gather<>();
    output.results().apply("Gather results", ParDo.of(results));
    output.tooLate().apply("Gather too late", ParDo.of(tooLate));
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return new ScriptedRun(results.gathered(), tooLate.gathered(), counters(result));
  }

  private static TestStream<Event> stream(List<Step> steps) {
    TestStream.Builder<Event> stream = TestStream.create(EventCoder.of());
    for (Step step : steps) {
      if (step instanceof Step.Arrive arrive) {
        stream =
            stream.addElements(TimestampedValue.of(arrive.event(), arrive.event().timestamp()));
      } else if (step instanceof Step.Advance advance) {
        stream = stream.advanceWatermarkTo(advance.watermark());
      }
    }
    return stream.advanceWatermarkToInfinity();
  }

  private static Map<String, Long> counters(PipelineResult result) {
    Map<String, Long> counters = new ConcurrentHashMap<>();
    for (MetricResult<Long> counter :
        result.metrics().queryMetrics(MetricsFilter.builder().build()).getCounters()) {
      counters.merge(counter.getName().getName(), counter.getAttempted(), Long::sum);
    }
    return counters;
  }

  /** Keeps what comes in this process, where a test can see it. */
  private static final class Gather<T> extends DoFn<T, Void> {
    private static final Map<UUID, Queue<Object>> GATHERED = new ConcurrentHashMap<>();
    private final UUID id = UUID.randomUUID();

    @ProcessElement
    public void process(@Element T element) {
      GATHERED.computeIfAbsent(id, key -> new ConcurrentLinkedQueue<>()).add(element);
    }

    @SuppressWarnings("unchecked") // only elements of this DoFn were added under its id
    List<T> gathered() {
      Queue<Object> gathered = GATHERED.remove(id);
      return gathered == null ? List.of() : (List<T>) List.copyOf(gathered);
    }
  }
}
