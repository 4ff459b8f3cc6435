package dev.tidemark.pipelines.simulate;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.event.WallClock;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.joda.time.Instant;

/**
 * Which step a running simulation has reached, and what has come out of its pipeline at each. The
 * transforms of the pipeline are copied before they run, so they find their recording by its id.
 * This works because a simulation always runs on the DirectRunner, in this JVM.
 */
final class Recording implements AutoCloseable {
  private static final Map<String, Recording> OPEN = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();
  private final List<Step> steps;
  private final Map<Integer, List<WindowResult>> results = new HashMap<>();
  private final Map<Integer, List<TooLateEvent>> tooLate = new HashMap<>();
  private final Map<Integer, List<DeadLetter>> deadLetters = new HashMap<>();
  private int current;

  private Recording(List<Step> steps) {
    this.steps = steps;
  }

  static Recording open(List<Step> steps) {
    Recording recording = new Recording(steps);
    OPEN.put(recording.id, recording);
    return recording;
  }

  static Recording of(String id) {
    return OPEN.get(id);
  }

  String id() {
    return id;
  }

  /** From now on, what comes out comes out because of that step. */
  synchronized Step reach(int step) {
    current = step;
    return steps.get(step);
  }

  synchronized void add(WindowResult result) {
    list(results).add(atSimulatedTime(result));
  }

  synchronized void add(TooLateEvent event) {
    list(tooLate).add(event);
  }

  synchronized void add(DeadLetter deadLetter) {
    list(deadLetters).add(deadLetter);
  }

  synchronized List<Played> played() {
    return IntStream.range(0, steps.size()).mapToObj(this::played).toList();
  }

  @Override
  public void close() {
    OPEN.remove(id);
  }

  private <T> List<T> list(Map<Integer, List<T>> outputs) {
    return outputs.computeIfAbsent(current, step -> new ArrayList<>());
  }

  private Played played(int step) {
    return new Played(
        steps.get(step),
        results.getOrDefault(step, List.of()),
        tooLate.getOrDefault(step, List.of()),
        deadLetters.getOrDefault(step, List.of()));
  }

  private synchronized Instant now() {
    return steps.get(current).now();
  }

  /** The aggregation reads the machine's clock, which would make each simulation differ. */
  private WindowResult atSimulatedTime(WindowResult result) {
    return new WindowResult(
        result.key(),
        result.window(),
        result.kind(),
        result.firingSequence(),
        result.isLast(),
        result.watermark(),
        now(),
        result.value(),
        result.supersedes(),
        result.accumulators(),
        result.corrects());
  }

  /** The wall clock of the step that a simulation has reached. */
  record Clock(String recording) implements WallClock {
    @Override
    public Instant now() {
      return Recording.of(recording).now();
    }
  }
}
