package dev.tidemark.pipelines.plan;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Clock;
import dev.tidemark.policy.Durations;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Windowing;
import dev.tidemark.transforms.aggregate.AccumulatorSize;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A choice in a policy that is often regretted.
 *
 * @param what the choice
 * @param why what may go wrong
 * @param instead what to do about it
 */
record Warning(String what, String why, String instead) {
  private static final long MANY_WINDOWS_PER_EVENT = 30;
  private static final long LONG_LATENESS_IN_WINDOWS = 10;

  /** What to think about before a policy runs. */
  static List<Warning> of(Policy policy) {
    List<Warning> warnings = new ArrayList<>();
    clock(policy, warnings);
    windows(policy, warnings);
    panes(policy, warnings);
    lateness(policy, warnings);
    state(policy, warnings);
    return warnings;
  }

  private static void clock(Policy policy, List<Warning> warnings) {
    if (policy.clock() == Clock.PROCESSING_TIME) {
      warnings.add(
          new Warning(
              "clock: processing-time",
              "a slow or repeated run puts the same events into other windows",
              "use event-time for all that is reported or compared"));
    }
    if (policy.clock().readsTimestamp()
        && policy.watermark().maxOutOfOrderness().getMillis() == 0) {
      warnings.add(
          new Warning(
              "watermark: maxOutOfOrderness is 0s",
              "an event older than the newest one seen finds its window complete",
              "set it to how far out of order events usually come"));
    }
  }

  private static void windows(Policy policy, List<Warning> warnings) {
    long perEvent = new Cost(policy, 1, null).windowsPerEvent();
    if (perEvent >= MANY_WINDOWS_PER_EVENT) {
      warnings.add(
          new Warning(
              "window: each event counts in %,d windows".formatted(perEvent),
              "state and results are as many times those of fixed windows",
              "slide in larger steps, or add up fixed windows where the results are read"));
    }
    if (policy.windowing() instanceof Windowing.Global) {
      warnings.add(
          new Warning(
              "window: global",
              "without an end no result is ever FINAL, and no key's state is ever freed",
              "use fixed windows or sessions, unless the keys are few and stay so"));
    }
    if (policy.windowing() instanceof Windowing.Sessions sessions) {
      sessions(sessions, warnings);
    }
    if (policy.windowing() instanceof Windowing.ReportingCalendar calendar) {
      warnings.add(
          new Warning(
              "window: the last period ends at "
                  + calendar.periods().get(calendar.periods().size() - 1).end(),
              "events from then on are dead letters with the reason NO_PERIOD",
              "add periods to " + calendar.file() + " in time"));
    }
  }

  private static void sessions(Windowing.Sessions sessions, List<Warning> warnings) {
    warnings.add(
        new Warning(
            "window: sessions",
            "a late event may join two sessions that were reported apart",
            "use fixed or calendar windows for reports that must not change"));
    if (sessions.maxDuration() == null) {
      warnings.add(
          new Warning(
              "window: sessions without maxDuration",
              "a key that never pauses never gets a FINAL result, and its state stays",
              "set maxDuration to the longest session that makes sense"));
    }
  }

  private static void panes(Policy policy, List<Warning> warnings) {
    boolean severalPanes =
        policy.trigger().early() != null || policy.allowedLateness().getMillis() > 0;
    if (policy.trigger().early() != null) {
      warnings.add(
          new Warning(
              "trigger: early panes",
              "they are provisional: the window's later events are not in them",
              "let readers filter by resultKind FINAL, or replace what they read before"));
    }
    if (policy.accumulation() == Accumulation.DISCARDING && severalPanes) {
      warnings.add(
          new Warning(
              "accumulation: discarding",
              "a table or view that upserts by key and window keeps the last part only",
              "use accumulating for upserts, or add the panes up where they are read"));
    }
    if (policy.accumulation() == Accumulation.RETRACTING && severalPanes) {
      warnings.add(
          new Warning(
              "accumulation: retracting",
              "a reader that ignores RETRACTION counts a window twice",
              "use accumulating, unless all readers subtract retractions"));
    }
  }

  private static void lateness(Policy policy, List<Warning> warnings) {
    WindowRate rate = WindowRate.of(policy.windowing());
    long lateness = policy.allowedLateness().getMillis();
    if (rate != null && lateness > LONG_LATENESS_IN_WINDOWS * rate.size().getMillis()) {
      warnings.add(
          new Warning(
              "allowedLateness: %s for windows of %s"
                  .formatted(Durations.text(policy.allowedLateness()), Durations.text(rate.size())),
              "%,d windows of each key stay open"
                  .formatted(new Cost(policy, 1, null).openWindows()),
              "shorten it, and reconcile what comes later from the too-late lane"));
    }
    if (policy.tooLate() == TooLate.DROP_AND_COUNT) {
      warnings.add(
          new Warning(
              "tooLate: drop-and-count",
              "what comes too late is only counted and cannot be reconciled",
              "use quarantine, unless nobody will ever ask for these events"));
    }
  }

  private static void state(Policy policy, List<Warning> warnings) {
    String growing =
        policy.aggregates().entrySet().stream()
            .filter(field -> grows(field.getValue()))
            .map(field -> field.getKey())
            .collect(Collectors.joining(", "));
    if (!growing.isEmpty()) {
      warnings.add(
          new Warning(
              "aggregates: " + growing,
              "the state keeps each different value of a window",
              "use distinct without exact, or a field with few values"));
    }
  }

  private static boolean grows(Aggregate aggregate) {
    return AccumulatorSize.of(aggregate).perValue();
  }
}
