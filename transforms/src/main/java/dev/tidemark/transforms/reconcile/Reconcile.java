package dev.tidemark.transforms.reconcile;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultScope;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.TooLateEventCoder;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowResultCoder;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.jspecify.annotations.Nullable;

/**
 * Corrects results for the events that came too late for them: one {@code CORRECTION} for exactly
 * each window that missed events, of the value that the window would have had, had they come in
 * time. A window that missed all its events is corrected from nothing. Sessions merge with what
 * they missed as they would have merged in time; so do sessions that overlap because one had closed
 * when the other started.
 *
 * <p>Input: bounded, both tags of the tuple: all results of one policy with what was corrected
 * before, and all of its too-late lane; each line however often. Output: for each window the
 * retractions that it takes in retracting mode, followed by the correction; nothing for a window
 * that the input corrects already, so that the output can go where the input came from. Use it over
 * the whole trail at once: a part of it gives corrections of that part.
 *
 * <p>All lines of a scope, a key and window or all sessions of a key, are held in memory at once.
 */
public final class Reconcile extends PTransform<PCollectionTuple, PCollection<List<WindowResult>>> {
  /** The results, of the policy and no other. */
  public static final TupleTag<ResultLine> RESULTS = new TupleTag<>("results") {};

  /** What came too late for them. */
  public static final TupleTag<TooLateEvent> TOO_LATE = new TupleTag<>("tooLate") {};

  private final Policy policy;

  private Reconcile(Policy policy) {
    this.policy = policy;
  }

  /** Corrects the results of a policy. */
  public static Reconcile of(Policy policy) {
    return new Reconcile(policy);
  }

  @Override
  public PCollection<List<WindowResult>> expand(PCollectionTuple input) {
    return KeyedPCollectionTuple.of(RESULTS, results(input.get(RESULTS)))
        .and(TOO_LATE, tooLate(input.get(TOO_LATE)))
        .apply("Group by scope", CoGroupByKey.create())
        .apply("Correct", ParDo.of(new CorrectFn(policy)))
        .setCoder(ListCoder.of(WindowResultCoder.of()));
  }

  private PCollection<KV<KV<EventKey, @Nullable ResultWindow>, ResultLine>> results(
      PCollection<ResultLine> lines) {
    Policy scoping = policy;
    SerializableFunction<ResultLine, KV<EventKey, @Nullable ResultWindow>> scope =
        line -> ResultScope.of(scoping, line.result().key(), line.result().window());
    return lines
        .apply("Key results", WithKeys.of(scope))
        .setCoder(KvCoder.of(ResultScope.CODER, ResultLineCoder.of()));
  }

  private PCollection<KV<KV<EventKey, @Nullable ResultWindow>, TooLateEvent>> tooLate(
      PCollection<TooLateEvent> events) {
    Policy scoping = policy;
    SerializableFunction<TooLateEvent, KV<EventKey, @Nullable ResultWindow>> scope =
        event -> ResultScope.of(scoping, event.event().key(), event.window());
    return events
        .apply("Key too-late events", WithKeys.of(scope))
        .setCoder(KvCoder.of(ResultScope.CODER, TooLateEventCoder.of()));
  }

  static final class CorrectFn
      extends DoFn<KV<KV<EventKey, @Nullable ResultWindow>, CoGbkResult>, List<WindowResult>> {
    private final Counter corrections = Metrics.counter("tidemark", "corrections");
    private final Policy policy;

    CorrectFn(Policy policy) {
      this.policy = policy;
    }

    @ProcessElement
    public void process(
        @Element KV<KV<EventKey, @Nullable ResultWindow>, CoGbkResult> scope,
        OutputReceiver<List<WindowResult>> out) {
      List<ResultLine> trail = new ArrayList<>();
      scope.getValue().getAll(RESULTS).forEach(trail::add);
      for (List<WindowResult> correction :
          Corrections.of(
              policy,
              scope.getKey().getKey(),
              trail,
              scope.getValue().getAll(TOO_LATE),
              WallClock.SYSTEM.now())) {
        corrections.inc();
        out.output(correction);
      }
    }
  }
}
