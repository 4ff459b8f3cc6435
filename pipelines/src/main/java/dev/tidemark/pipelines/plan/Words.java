package dev.tidemark.pipelines.plan;

import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Durations;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.joda.time.Duration;

/** A policy in plain words. */
final class Words {
  private Words() {}

  /** What each part of a policy means, by the part's name and in reading order. */
  static Map<String, String> of(Policy policy) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("windows", windows(policy.windowing()));
    words.put("clock", clock(policy));
    words.put("key", key(policy));
    words.put("value", value(policy));
    words.put("fires", fires(policy));
    words.put("panes", panes(policy));
    words.put("late events", late(policy));
    words.put("watermark", watermark(policy));
    return words;
  }

  private static String windows(Windowing windowing) {
    if (windowing instanceof Windowing.Fixed fixed) {
      return "every " + Durations.text(fixed.size()) + ", end to end" + shifted(fixed.offset());
    }
    if (windowing instanceof Windowing.Sliding sliding) {
      return Durations.text(sliding.size())
          + " long, one every "
          + Durations.text(sliding.every())
          + shifted(sliding.offset());
    }
    if (windowing instanceof Windowing.Sessions sessions) {
      Duration longest = sessions.maxDuration();
      return "sessions: events of a key less than "
          + Durations.text(sessions.gap())
          + " apart"
          + (longest == null ? ", however long" : ", for at most " + Durations.text(longest));
    }
    if (windowing instanceof Windowing.Calendar calendar) {
      return "each %s, whose first day starts at %s in %s"
          .formatted(lower(calendar.period()), calendar.startsAt(), calendar.zone());
    }
    if (windowing instanceof Windowing.ReportingCalendar calendar) {
      return "the %,d reporting periods of %s"
          .formatted(calendar.periods().size(), calendar.file());
    }
    return "one window without an end";
  }

  private static String shifted(Duration offset) {
    return offset.getMillis() == 0 ? "" : ", shifted by " + Durations.text(offset);
  }

  private static String clock(Policy policy) {
    return switch (policy.clock()) {
      case EVENT_TIME -> "when the event happened, from " + policy.timestamp();
      case BUSINESS_EFFECTIVE_TIME -> "when the event takes effect, from " + policy.timestamp();
      case INGESTION_TIME -> "when the source received the event";
      case PROCESSING_TIME -> "when the pipeline parses the event";
    };
  }

  private static String key(Policy policy) {
    return policy.key().isEmpty()
        ? "none: all events together"
        : policy.key().entrySet().stream()
            .map(field -> field.getKey() + " from " + field.getValue())
            .collect(Collectors.joining(", "));
  }

  private static String value(Policy policy) {
    return policy.aggregates().entrySet().stream()
        .map(field -> field.getKey() + " = " + function(field.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String function(Aggregate aggregate) {
    String name = aggregate.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    return aggregate.of() == null ? name : name + " of " + aggregate.of();
  }

  private static String fires(Policy policy) {
    Trigger trigger = policy.trigger();
    String early = trigger.early() == null ? "" : "early " + cadence(trigger.early()) + "; ";
    if (policy.windowing() instanceof Windowing.Global) {
      return early + "never finally";
    }
    String late =
        policy.allowedLateness().getMillis() == 0 ? "" : "; late " + cadence(trigger.late());
    return early + "finally at the window's end" + late;
  }

  private static String cadence(Trigger.Cadence cadence) {
    if (cadence instanceof Trigger.Every every) {
      return Durations.text(every.every()) + " after the pane's first event";
    }
    int count = ((Trigger.Count) cadence).count();
    return count == 1 ? "for each event" : "for each %,d events".formatted(count);
  }

  private static String panes(Policy policy) {
    return switch (policy.accumulation()) {
      case ACCUMULATING -> "each holds all the window has seen, and replaces the one before";
      case DISCARDING -> "each holds what is new, to be added to those before";
      case RETRACTING -> "each holds all the window has seen; the one before is taken back first";
    };
  }

  private static String late(Policy policy) {
    String end =
        policy.allowedLateness().getMillis() == 0
            ? "from the window's end on, "
            : "counted until "
                + Durations.text(policy.allowedLateness())
                + " after the window's end; then ";
    return end
        + (policy.tooLate() == TooLate.QUARANTINE
            ? "kept in the too-late lane"
            : "dropped and counted");
  }

  private static String watermark(Policy policy) {
    return Durations.text(policy.watermark().maxOutOfOrderness()) + " behind the newest event";
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
