package dev.tidemark.pipelines.deadletters;

import dev.tidemark.event.Event;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.TooLateEventCoder;
import dev.tidemark.transforms.windowing.PolicyWindow;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollection;

/**
 * Each event, once for each of its windows, as one that came too late for it. Of sessions, the
 * window is the event's own, as in the too-late lane of a run. Not for the global window, which no
 * event is too late for.
 */
final class EventsInWindows extends PTransform<PCollection<Event>, PCollection<TooLateEvent>> {
  private final Policy policy;

  private EventsInWindows(Policy policy) {
    this.policy = policy;
  }

  static EventsInWindows of(Policy policy) {
    return new EventsInWindows(policy);
  }

  @Override
  public PCollection<TooLateEvent> expand(PCollection<Event> events) {
    return events
        .apply("Assign windows", PolicyWindow.of(policy))
        .apply("Name each window", ParDo.of(new NameFn()))
        .setCoder(TooLateEventCoder.of());
  }

  static final class NameFn extends DoFn<Event, TooLateEvent> {
    private final Counter tooLate = Metrics.counter("tidemark", "tooLate");

    @ProcessElement
    public void process(
        @Element Event event, BoundedWindow assigned, OutputReceiver<TooLateEvent> out) {
      ResultWindow window = ResultWindow.of(assigned);
      if (window == null) {
        throw new IllegalStateException("no event is too late for " + assigned);
      }
      tooLate.inc();
      out.output(new TooLateEvent(event, window));
    }
  }
}
