package dev.tidemark.policy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job can go on from the state of another, whose policies were different.
 *
 * <p>State is what the windows that are open have counted, kept by key and window, and what has
 * been said of them. So what decides the key and the window of an event, and what is counted, must
 * stay; aggregates can be added behind the others. When windows fire, how records are read and how
 * far event time lags is not in the state. A window that has closed is not in it either: with a
 * longer lateness it would open again, empty, and be final a second time.
 */
public final class PolicyChanges {
  private final String state;
  private final String file;
  private final Policy before;
  private final Policy now;
  private final List<String> problems = new ArrayList<>();

  private PolicyChanges(String state, String file, Policy before, Policy now) {
    this.state = state;
    this.file = file;
    this.before = before;
    this.now = now;
  }

  /**
   * What stands against going on, one line a problem: {@code FILE:LINE: FIELD: what the job has,
   * what the policy says; what is allowed}. Empty if nothing does.
   *
   * @param state where the state lies, as problems name it
   * @param before the policies that the job went by
   * @param now those that it shall go by, by the files that they are from
   */
  public static List<String> problems(String state, List<Policy> before, Map<String, Policy> now) {
    List<String> problems = new ArrayList<>();
    for (Policy policy : before) {
      List<Map.Entry<String, Policy>> same =
          now.entrySet().stream()
              .filter(entry -> entry.getValue().metric().equals(policy.metric()))
              .toList();
      if (same.isEmpty()) {
        problems.add(
            "--policy: the job in "
                + state
                + " has the metric "
                + policy.metric()
                + ", and no policy has; allowed: its policy too, or a start without its state");
      }
      same.forEach(
          entry ->
              problems.addAll(
                  new PolicyChanges(state, entry.getKey(), policy, entry.getValue()).problems()));
    }
    return problems;
  }

  private List<String> problems() {
    same("clock", before.clock(), now.clock());
    same("timestamp", before.timestamp(), now.timestamp());
    same("key", List.copyOf(before.key().entrySet()), List.copyOf(now.key().entrySet()));
    window();
    lateness();
    same("accumulation", before.accumulation(), now.accumulation());
    aggregates();
    return problems;
  }

  private void window() {
    if (before.windowing() instanceof Windowing.ReportingCalendar kept
        && now.windowing() instanceof Windowing.ReportingCalendar calendar) {
      for (ReportingPeriod period : kept.periods()) {
        if (!calendar.periods().contains(period)) {
          refuse("window", period, null, "the same periods, and others");
        }
      }
    } else {
      same("window", before.windowing(), now.windowing());
    }
  }

  private void lateness() {
    if (now.allowedLateness().isLongerThan(before.allowedLateness())) {
      refuse("allowedLateness", before.allowedLateness(), now.allowedLateness(), "as long or less");
    }
  }

  private void aggregates() {
    Iterator<Map.Entry<String, Aggregate>> others = now.aggregates().entrySet().iterator();
    for (Map.Entry<String, Aggregate> kept : before.aggregates().entrySet()) {
      Map.Entry<String, Aggregate> other = others.hasNext() ? others.next() : null;
      if (!kept.equals(other)) {
        refuse("aggregates", kept, other, "the same in their order, and others behind them");
        return; // those behind it are out of step
      }
    }
  }

  private void same(String field, @Nullable Object kept, @Nullable Object other) {
    if (!Objects.equals(kept, other)) {
      refuse(field, kept, other, "the same");
    }
  }

  private void refuse(String field, @Nullable Object kept, @Nullable Object other, String allowed) {
    problems.add(
        Reading.oneLine(
            "%s:%d: %s: the job in %s has %s, this is %s; allowed: %s, or a start without its state"
                .formatted(
                    file,
                    PolicyLoader.line(file, field),
                    field,
                    state,
                    FlowText.of(kept),
                    FlowText.of(other),
                    allowed)));
  }
}
