package dev.tidemark.policy;

import static dev.tidemark.policy.Scalars.POINTER;
import static dev.tidemark.policy.Scalars.TEXT;
import static dev.tidemark.policy.Scalars.kebab;
import static dev.tidemark.policy.Scalars.text;
import static dev.tidemark.policy.Scalars.whole;

import dev.tidemark.policy.Fields.Field;
import dev.tidemark.policy.Fields.Values;
import java.util.Map;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The form of the policy file: every field with its type, default and description, and the rules
 * between fields. The loader reads by it, and the JSON Schema is written from it.
 */
final class PolicyGrammar {
  static final Shape<Policy> POLICY = new PolicyGrammar().shape();

  private final Fields fields = new Fields("a policy");
  private final Field<String> metric =
      fields.required(
          "metric",
          text(
              "a metric",
              "[a-z0-9-]+",
              "write lower-case letters, digits and '-'",
              (place, text) -> text),
          "The metric's name: lower-case letters, digits and '-'.");
  private final Field<String> version =
      fields.required("version", TEXT, "Stamped on each result. Text, so a number is quoted.");
  private final Field<Format> format =
      fields.optional(
          "format", FormatGrammar.FORMAT, "json", "How the bytes of a record are read.");
  private final Field<Clock> clock =
      fields.optional(
          "clock",
          kebab("a clock", Clock.class),
          "event-time",
          "Which time events are windowed by.");
  private final Field<@Nullable Pointer> timestamp =
      fields.optional(
          "timestamp",
          POINTER,
          "The field with the event's time: ISO-8601 text with an offset, or whole epoch"
              + " milliseconds. Needed by event-time and business-effective-time.");
  private final Field<Map<String, Pointer>> key =
      fields.required(
          "key",
          new MapShape<>("a mapping of names to JSON Pointers", POINTER, 0),
          "The fields that make the key, by name. {} is one key over all events.");
  private final Field<Windowing> window =
      fields.required("window", WindowGrammar.WINDOW, "The shape of the windows: exactly one.");
  private final Field<Trigger> trigger =
      fields.optional("trigger", trigger(), "{}", "When windows fire besides at their end.");
  private final Field<Duration> allowedLateness =
      fields.optional(
          "allowedLateness",
          DurationShape.ANY,
          "0s",
          "How long after its end, in event time, a window still takes events.");
  private final Field<Accumulation> accumulation =
      fields.optional(
          "accumulation",
          kebab("an accumulation", Accumulation.class),
          "accumulating",
          "How the panes of one window relate to each other.");
  private final Field<TooLate> tooLate =
      fields.optional(
          "tooLate",
          kebab("a way with too-late events", TooLate.class),
          "quarantine",
          "What becomes of an event that missed its window.");
  private final Field<Map<String, Aggregate>> aggregates =
      fields.required(
          "aggregates",
          new MapShape<>("a mapping of names to aggregates", AggregateGrammar.AGGREGATE, 1),
          "What each field of the value is computed by, by name.");
  private final Field<Watermark> watermark =
      fields.optional("watermark", watermark(), "{}", "How far event time may lag, idle, lead.");

  private PolicyGrammar() {}

  private Shape<Policy> shape() {
    fields.rule(this::checkTimestamp, clock, timestamp);
    fields.condition(
        """
        {"if": {"properties": {"clock": {"enum": ["ingestion-time", "processing-time"]}},
                "required": ["clock"]},
         "then": {"properties": {"timestamp": false}},
         "else": {"required": ["timestamp"]}}
        """);
    fields.rule(this::checkEarly, window, trigger);
    fields.condition(
        """
        {"if": {"properties": {"window": {"required": ["global"]}}, "required": ["window"]},
         "then": {"properties": {"trigger": {"required": ["early"]}}, "required": ["trigger"]}}
        """);
    fields.rule(this::checkLate, window, trigger);
    fields.rule(this::checkLateness, window, allowedLateness);
    fields.rule(
        values -> FormatGrammar.checkColumns(values.get(format), values.mapping().reading()),
        format);
    return fields.make(this::policy);
  }

  private Policy policy(Values values) {
    return new Policy(
        values.get(metric),
        values.get(version),
        values.get(format),
        values.get(clock),
        values.get(timestamp),
        values.get(key),
        values.get(window),
        values.get(trigger),
        values.get(allowedLateness),
        values.get(accumulation),
        values.get(tooLate),
        values.get(aggregates),
        values.get(watermark));
  }

  private void checkTimestamp(Values values) {
    boolean reads = values.get(clock).readsTimestamp();
    if (reads && !values.has(timestamp)) {
      values.refuse(timestamp, "is missing", POINTER.allowed());
    } else if (!reads && values.has(timestamp)) {
      values.refuse(
          timestamp,
          "is not read by the clock " + values.described(clock),
          "leave it out, or set clock to event-time or business-effective-time");
    }
  }

  private void checkEarly(Values values) {
    if (isGlobal(values) && values.get(trigger).early() == null) {
      values.refuse(
          trigger,
          "has no early firing, and the global window never ends",
          "write {early: {every: 10s}} or {early: {count: 1000}}");
    }
  }

  private void checkLate(Values values) {
    if (isGlobal(values) && !values.get(trigger).late().equals(Trigger.DEFAULT.late())) {
      values.refuse(
          trigger, "has late firings, and nothing is late for the global window", "leave late out");
    }
  }

  private void checkLateness(Values values) {
    if (isGlobal(values) && values.get(allowedLateness).isLongerThan(Duration.ZERO)) {
      values.refuse(
          allowedLateness, "has no meaning on the global window, which never ends", "leave it out");
    }
  }

  private boolean isGlobal(Values values) {
    return values.get(window) instanceof Windowing.Global;
  }

  private static Shape<Trigger> trigger() {
    Shape<Trigger.Cadence> cadence =
        new ChoiceShape<Trigger.Cadence>("a cadence")
            .or(
                "every",
                DurationShape.ABOVE_ZERO.as(Trigger.Every::new),
                "After this much processing time since the pane's first event.")
            .or(
                "count",
                whole("a count", 1, Integer.MAX_VALUE).as(Trigger.Count::new),
                "After at least this many events.");
    Fields fields = new Fields("a trigger");
    Field<Trigger.@Nullable Cadence> early =
        fields.optional("early", cadence, "How often a window fires before its end.");
    Field<Trigger.Cadence> late =
        fields.optional("late", cadence, "{count: 1}", "How often late events make it fire again.");
    return fields.make(values -> new Trigger(values.get(early), values.get(late)));
  }

  private static Shape<Watermark> watermark() {
    Fields fields = new Fields("a watermark");
    Field<Duration> maxOutOfOrderness =
        fields.optional(
            "maxOutOfOrderness",
            DurationShape.ANY,
            "0s",
            "How far the watermark stays behind the highest event time seen.");
    Field<Duration> idleAfter =
        fields.optional(
            "idleAfter",
            DurationShape.ANY,
            "1m",
            "How long a quiet source waits before its watermark follows the clock.");
    Field<Duration> maxFutureSkew =
        fields.optional(
            "maxFutureSkew",
            DurationShape.ANY,
            "5m",
            "How far ahead of the clock an event may be stamped; beyond it, it is a dead letter.");
    return fields.make(
        values ->
            new Watermark(
                values.get(maxOutOfOrderness), values.get(idleAfter), values.get(maxFutureSkew)));
  }
}
