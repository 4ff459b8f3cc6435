package dev.tidemark.policy;

import static dev.tidemark.policy.Scalars.POINTER;
import static dev.tidemark.policy.Scalars.TEXT;
import static dev.tidemark.policy.Scalars.kebab;
import static dev.tidemark.policy.Scalars.text;
import static dev.tidemark.policy.Scalars.whole;

import dev.tidemark.policy.Fields.Field;
import dev.tidemark.policy.Fields.Values;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The form of the policy file: every field with its type, default and description, and the rules
 * between fields. The loader reads by it, and the JSON Schema is written from it.
 */
final class PolicyGrammar {
  static final Shape<Policy> POLICY = policy();

  private PolicyGrammar() {}

  private static Shape<Policy> policy() {
    Fields fields = new Fields("a policy");
    Field<String> metric =
        fields.required(
            "metric",
            text(
                "a metric",
                "[a-z0-9-]+",
                "write lower-case letters, digits and '-'",
                (place, text) -> text),
            "The metric's name: lower-case letters, digits and '-'.");
    Field<String> version =
        fields.required("version", TEXT, "Stamped on each result. Text, so a number is quoted.");
    Field<Format> format =
        fields.optional("format", format(), "json", "How the bytes of a record are read.");
    Field<Clock> clock =
        fields.optional(
            "clock",
            kebab("a clock", Clock.class),
            "event-time",
            "Which time events are windowed by.");
    Field<@Nullable Pointer> timestamp =
        fields.optional(
            "timestamp",
            POINTER,
            "The field with the event's time: ISO-8601 text with an offset, or whole epoch"
                + " milliseconds. Needed by event-time and business-effective-time.");
    Field<Map<String, Pointer>> key =
        fields.required(
            "key",
            new MapShape<>("a mapping of names to JSON Pointers", POINTER, 0),
            "The fields that make the key, by name. {} is one key over all events.");
    Field<Windowing> window =
        fields.required("window", WindowGrammar.WINDOW, "The shape of the windows: exactly one.");
    Field<Trigger> trigger =
        fields.optional("trigger", trigger(), "{}", "When windows fire besides at their end.");
    Field<Duration> allowedLateness =
        fields.optional(
            "allowedLateness",
            DurationShape.ANY,
            "0s",
            "How long after its end, in event time, a window still takes events.");
    Field<Accumulation> accumulation =
        fields.optional(
            "accumulation",
            kebab("an accumulation", Accumulation.class),
            "accumulating",
            "How the panes of one window relate to each other.");
    Field<TooLate> tooLate =
        fields.optional(
            "tooLate",
            kebab("a way with too-late events", TooLate.class),
            "quarantine",
            "What becomes of an event that missed its window.");
    Field<Map<String, Aggregate>> aggregates =
        fields.required(
            "aggregates",
            new MapShape<>("a mapping of names to aggregates", AggregateGrammar.AGGREGATE, 1),
            "What each field of the value is computed by, by name.");
    Field<Watermark> watermark =
        fields.optional("watermark", watermark(), "{}", "How far event time may lag, idle, lead.");

    fields.rule(values -> checkTimestamp(values, clock, timestamp), clock, timestamp);
    fields.condition(
        """
        {"if": {"properties": {"clock": {"enum": ["ingestion-time", "processing-time"]}},
                "required": ["clock"]},
         "then": {"properties": {"timestamp": false}},
         "else": {"required": ["timestamp"]}}
        """);
    fields.rule(values -> checkColumns(values.get(format), values.mapping().reading()), format);
    fields.rule(values -> checkGlobalTrigger(values, window, trigger), window, trigger);
    fields.condition(
        """
        {"if": {"properties": {"window": {"required": ["global"]}}, "required": ["window"]},
         "then": {"properties": {"trigger": {"required": ["early"]}}, "required": ["trigger"]}}
        """);
    fields.rule(
        values -> {
          if (isGlobal(values.get(window)) && isPositive(values.get(allowedLateness))) {
            values.refuse(
                allowedLateness,
                "has no meaning on the global window, which never ends",
                "leave it out");
          }
        },
        window,
        allowedLateness);
    return fields.make(
        values ->
            new Policy(
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
                values.get(watermark)));
  }

  private static void checkTimestamp(
      Values values, Field<Clock> clock, Field<@Nullable Pointer> timestamp) {
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

  private static void checkColumns(Format format, Reading reading) {
    if (!(format instanceof Format.Csv csv)) {
      return;
    }
    Set<String> columns = new LinkedHashSet<>();
    for (String column : csv.columns()) {
      columns.add("/" + column.replace("~", "~0").replace("/", "~1"));
    }
    for (Reading.NamedPointer named : reading.pointers()) {
      if (!columns.contains(named.pointer().text())) {
        named
            .place()
            .refuse(
                named.place().described() + " is not a column of the format",
                Messages.didYouMean(named.pointer().text(), columns));
      }
    }
  }

  private static void checkGlobalTrigger(
      Values values, Field<Windowing> window, Field<Trigger> trigger) {
    if (!isGlobal(values.get(window))) {
      return;
    }
    if (values.get(trigger).early() == null) {
      values.refuse(
          trigger,
          "has no early firing, and the global window never ends",
          "write {early: {every: 10s}} or {early: {count: 1000}}");
    }
    if (!values.get(trigger).late().equals(Trigger.DEFAULT.late())) {
      values.refuse(
          trigger, "has late firings, and nothing is late for the global window", "leave late out");
    }
  }

  private static boolean isGlobal(Windowing windowing) {
    return windowing instanceof Windowing.Global;
  }

  private static boolean isPositive(Duration duration) {
    return duration.isLongerThan(Duration.ZERO);
  }

  private static Shape<Format> format() {
    return new ChoiceShape<Format>("a format")
        .or("json", new Format.Json(), "One JSON object a record.")
        .or("csv", csv(), "One line of separated values a record, without a header line.");
  }

  private static Shape<Format> csv() {
    Fields fields = new Fields("a CSV format");
    Field<List<String>> columns =
        fields.required(
            "columns",
            new ListShape<>("a list of columns", TEXT),
            "The name of each column, in order; the pointer /name reads it.");
    Field<Character> separator =
        fields.optional(
            "separator",
            text(
                "a separator",
                // No quote, line end, or half of a surrogate pair.
                "(?![\"\\r\\n])[\\u0001-\\ud7ff\\ue000-\\ufffd]",
                "write one character, in quotes",
                (place, text) -> text.charAt(0)),
            "','",
            "The one character between two values.");
    return fields.make(values -> new Format.Csv(values.get(columns), values.get(separator)));
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
