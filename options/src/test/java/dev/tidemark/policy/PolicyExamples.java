package dev.tidemark.policy;

import static java.util.Collections.nCopies;

import java.util.ArrayList;
import java.util.List;

/** Policies that load and policies that do not: one table for the loader and for the schema. */
final class PolicyExamples {
  private static final List<String> BASE =
      List.of(
          "metric: m",
          "version: \"1\"",
          "timestamp: /t",
          "key: {k: /k}",
          "window: {fixed: {size: 5m}}",
          "aggregates: {n: count}");

  private static final String REQUIRED =
      "write {metric: …, version: …, key: …, window: …, aggregates: …}";
  private static final String WINDOW =
      "write exactly one of {fixed: …}, {sliding: …}, {sessions: …}, {global: …}, {calendar: …}";
  private static final String POINTER =
      "write /field, /outer/inner for a nested one, or \"#/headers/name\" or \"#/key\" of a topic";
  private static final String DURATION = "write 5m, 1h30m, 250ms or PT5M";
  private static final String CADENCE = "write exactly one of {every: …}, {count: …}";
  private static final String AGGREGATE =
      "write exactly one of count, elapsed, {sum: …}, {min: …}, {max: …}, {mean: …},"
          + " {distinct: …}, {quantile: …}, {top: …}, {first: …}, {last: …}";

  private PolicyExamples() {}

  /** Who can tell that a policy is invalid. */
  enum Tells {
    /** Only who reads the text: JSON cannot say it. */
    TEXT,
    /** The loader and the JSON Schema. */
    SCHEMA,
    /** Only the loader: JSON Schema cannot say it. */
    LOADER
  }

  record Invalid(Tells tells, String yaml, List<String> problems) {}

  /** A valid policy, one field a line, with some of its lines replaced or others added. */
  static String policy(String... lines) {
    List<String> all = new ArrayList<>(BASE);
    for (String line : lines) {
      String name = line.substring(0, line.indexOf(':') + 1);
      int index = -1;
      for (int i = 0; i < all.size(); i++) {
        index = all.get(i).startsWith(name) ? i : index;
      }
      if (index < 0) {
        all.add(line);
      } else {
        all.set(index, line);
      }
    }
    return String.join("\n", all) + "\n";
  }

  /** The valid policy without the line of one field. */
  static String without(String name) {
    List<String> lines = new ArrayList<>(BASE);
    lines.removeIf(line -> line.startsWith(name + ":"));
    return String.join("\n", lines) + "\n";
  }

  /** A few lines that stand for 10^40 values. */
  static String billionLaughs() {
    StringBuilder yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 40; i++) {
      String below = "*a" + (i - 1);
      yaml.append("a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", nCopies(10, below))));
    }
    return yaml.toString();
  }

  private static Invalid text(String yaml, String... problems) {
    return new Invalid(Tells.TEXT, yaml, List.of(problems));
  }

  private static Invalid schema(String yaml, String... problems) {
    return new Invalid(Tells.SCHEMA, yaml, List.of(problems));
  }

  private static Invalid loader(String yaml, String... problems) {
    return new Invalid(Tells.LOADER, yaml, List.of(problems));
  }

  private static Invalid window(String window, String problem) {
    return schema(policy("window: " + window), "policy.yaml:5: " + problem);
  }

  private static Invalid windowRule(String window, String problem) {
    return loader(policy("window: " + window), "policy.yaml:5: " + problem);
  }

  private static Invalid aggregate(String aggregate, String problem) {
    return schema(policy("aggregates: {a: " + aggregate + "}"), "policy.yaml:6: " + problem);
  }

  static List<String> valid() {
    return List.of(
        policy(),
        policy("metric: \"5\"", "version: v3"),
        policy("format: json", "clock: business-effective-time"),
        policy("format: {csv: {columns: [t, k]}}"),
        policy("format: {csv: {columns: [t, k, \"a/b\"], separator: \":\"}}", "key: {k: /a~1b}"),
        policy("key: {}"),
        policy("key: {k: \"#/key\", h: \"#/headers/a~1b\", t: \"#/topic\", p: \"#/partition\"}"),
        policy("timestamp: \"#/timestamp\"", "aggregates: {last: {max: \"#/offset\"}}"),
        policy("aggregates: {messages: {distinct: \"#/messageId\"}}"),
        policy("format: {csv: {columns: [t, k]}}", "key: {k: /k, tenant: \"#/headers/tenant\"}"),
        policy("key: {a: /a, b-c: /b/0/c, _d: /}"),
        policy("window: {fixed: {size: PT1H30M, offset: 1h29m59s999ms}}"),
        policy("window: {fixed: {size: 36525d}}"),
        policy("window: {fixed: {size: PT0.001S}}"),
        policy("window: {fixed: {size: P1DT1H, offset: 0ms}}"),
        policy("window: {sliding: {size: 10s, every: 1ms}}"),
        policy("window: {sliding: {size: 1h, every: 1h, offset: 59m}}"),
        policy("window: {sessions: {gap: 30m}}"),
        policy("window: {sessions: {gap: 30m, maxDuration: 31m}}", "accumulation: retracting"),
        policy("window: {global: {}}", "trigger: {early: {count: 1}}", "accumulation: retracting"),
        policy("window: {global: {}}", "trigger: {early: {every: 1s}}", "allowedLateness: 0s"),
        policy("window: {calendar: {period: day, zone: Asia/Jakarta, startsAt: 07:00}}"),
        policy("window: {calendar: {period: week, zone: UTC, weekStartsOn: SUNDAY}}"),
        policy("window: {calendar: {period: month, zone: Europe/Berlin}}"),
        policy("window: {calendar: {period: quarter, zone: UTC, fiscalYearStartsIn: 4}}"),
        policy("window: {calendar: {period: year, zone: UTC, fiscalYearStartsIn: 4.0}}"),
        policy("trigger: {early: {every: 10s}, late: {every: 30s}}", "allowedLateness: 10m"),
        policy("trigger: {late: {count: 2147483647}}", "tooLate: drop-and-count"),
        policy("aggregates: {a: {sum: /v}, b: {min: {of: /v}}, c: {max: /v}, d: {mean: /v}}"),
        policy("aggregates: {a: {distinct: /v}, b: {distinct: {of: /v, exact: true}}}"),
        policy("aggregates: {a: {quantile: {of: /v, q: 0}}, b: {quantile: {of: /v, q: 0.99}}}"),
        policy("aggregates: {a: {top: {of: /v, n: 10000}}, b: elapsed}"),
        policy("aggregates: {a: {first: /v}, b: {last: /v}}"),
        policy("watermark: {}"),
        policy("version: 😀"),
        policy("watermark: {maxOutOfOrderness: 5s, idleAfter: 0s, maxFutureSkew: 1d}"),
        without("timestamp") + "clock: ingestion-time\n",
        without("timestamp") + "clock: processing-time\n");
  }

  static List<Invalid> invalid() {
    List<Invalid> all = new ArrayList<>();
    all.addAll(documents());
    all.addAll(fields());
    all.addAll(windows());
    all.addAll(calendars());
    all.addAll(triggers());
    all.addAll(aggregates());
    all.addAll(formats());
    return all;
  }

  private static List<Invalid> documents() {
    return List.of(
        text("", "policy.yaml:1: policy: is empty; write YAML or JSON"),
        text("# nothing\n", "policy.yaml:1: policy: is empty; write YAML or JSON"),
        text("- a\n", "policy.yaml:1: policy: a list is not a policy; " + REQUIRED),
        text(
            "metric: m\n\tversion: 1\n",
            "policy.yaml:2: policy: is not YAML: found character '\\t(TAB)' that cannot start any"
                + " token. (Do not use \\t(TAB) for indentation); indent with spaces"),
        text(
            policy() + "---\nmetric: m\n",
            "policy.yaml:7: policy: has a second document; write one policy a file"),
        text(
            policy("key: &k {k: /k}", "watermark: *k"),
            "policy.yaml:4: policy: has the anchor &k; write the value out, without anchors and"
                + " aliases",
            "policy.yaml:7: policy: has the alias *k; write the value out, without anchors and"
                + " aliases"),
        text(
            policy("<<: {metric: m}"),
            "policy.yaml:7: <<: is a merge, which policies do not have; write the fields out"),
        text(
            policy() + "version: \"2\"\n",
            "policy.yaml:7: version: stands twice, first in line 2; write it once"),
        text(
            policy("key: {k: /k, k: /l}"),
            "policy.yaml:4: key.k: stands twice, first in line 4; write it once"),
        text(
            policy() + "[a, b]: c\n",
            "policy.yaml:7: policy: has a name that is not text; write plain names"),
        text(
            policy("version: !v 1"),
            "policy.yaml:2: version: a value tagged '!v' is not text; quote it: \"1\""),
        text(
            "# 😀\nmetric: \"\u0000\"\n",
            "policy.yaml:2: policy: is not YAML: U+0000 is not allowed; write YAML or JSON"),
        text(
            policy("color: \ud83d"),
            "policy.yaml:7: policy: is not YAML: U+D83D is not allowed; write YAML or JSON"),
        text(
            policy("watermark: " + "[".repeat(100_000)),
            "policy.yaml:7: policy: nests deeper than 20; write a flatter policy"),
        text(
            policy("watermark: " + "x".repeat(300_000)),
            "policy.yaml:1: policy: is too long; write at most 256 KiB"));
  }

  private static List<Invalid> fields() {
    return List.of(
        schema(
            "{}",
            "policy.yaml:1: metric: is missing; write lower-case letters, digits and '-'",
            "policy.yaml:1: version: is missing; write text in quotes",
            "policy.yaml:1: key: is missing; write 0 to 1000 entries, {name: …}",
            "policy.yaml:1: window: is missing; " + WINDOW,
            "policy.yaml:1: aggregates: is missing; write 1 to 1000 entries, {name: …}",
            "policy.yaml:1: timestamp: is missing; " + POINTER),
        schema(
            policy("allowedLatness: 1m"),
            "policy.yaml:7: allowedLatness: is not a field of a policy; did you mean"
                + " 'allowedLateness'?"),
        schema(
            policy("key: {'': /k}"),
            "policy.yaml:4: key.'': '' is not a name; write letters, digits, '_' and '-', first a"
                + " letter or '_'"),
        schema(
            policy("color: red"),
            "policy.yaml:7: color: is not a field of a policy; write one of metric, version,"
                + " format, clock, timestamp, key, window, trigger, allowedLateness, accumulation,"
                + " tooLate, aggregates, watermark"),
        schema(
            policy("metric: Revenue"),
            "policy.yaml:1: metric: 'Revenue' is not a metric; write lower-case letters, digits"
                + " and '-'"),
        schema(
            policy("version: 3"),
            "policy.yaml:2: version: the number 3 is not text; quote it: \"3\""),
        schema(
            policy("version: true"),
            "policy.yaml:2: version: the truth value true is not text; quote it: \"true\""),
        schema(
            policy("version: \"\""),
            "policy.yaml:2: version: '' is not text; write text in quotes"),
        schema(
            policy("version:"),
            "policy.yaml:2: version: an empty value is not text; write text in quotes"),
        schema(
            policy("clock: eventtime"),
            "policy.yaml:7: clock: 'eventtime' is not a clock; write one of event-time,"
                + " business-effective-time, ingestion-time, processing-time"),
        schema(without("timestamp"), "policy.yaml:1: timestamp: is missing; " + POINTER),
        schema(
            policy("clock: ingestion-time"),
            "policy.yaml:3: timestamp: is not read by the clock 'ingestion-time'; leave it out, or"
                + " set clock to event-time or business-effective-time"),
        schema(
            policy("timestamp: event_time"),
            "policy.yaml:3: timestamp: 'event_time' is not a JSON Pointer; " + POINTER),
        schema(
            policy("timestamp: /a~b"),
            "policy.yaml:3: timestamp: '/a~b' is not a JSON Pointer; " + POINTER),
        schema(
            policy("timestamp: \"#/headers\""),
            "policy.yaml:3: timestamp: '#/headers' is not a JSON Pointer; " + POINTER),
        schema(
            policy("timestamp: \"#/time\""),
            "policy.yaml:3: timestamp: '#/time' is not a JSON Pointer; " + POINTER),
        schema(
            policy("key: /k"),
            "policy.yaml:4: key: '/k' is not a mapping of names to JSON Pointers; write 0 to 1000"
                + " entries, {name: …}"),
        schema(
            policy("key: {store id: /k}"),
            "policy.yaml:4: key.store id: 'store id' is not a name; write letters, digits, '_' and"
                + " '-', first a letter or '_'"),
        schema(
            policy("key: {k: {a: /k}}"),
            "policy.yaml:4: key.k: a mapping is not a JSON Pointer; " + POINTER),
        schema(
            policy("allowedLateness: 5 minutes"),
            "policy.yaml:7: allowedLateness: '5 minutes' is not a duration; " + DURATION),
        schema(
            policy("allowedLateness: 300"),
            "policy.yaml:7: allowedLateness: the number 300 is not a duration; " + DURATION),
        schema(
            policy("allowedLateness: -5m"),
            "policy.yaml:7: allowedLateness: '-5m' is not a duration; " + DURATION),
        schema(
            policy("allowedLateness: 5m1h"),
            "policy.yaml:7: allowedLateness: '5m1h' is not a duration; " + DURATION),
        schema(
            policy("allowedLateness: PT0.0001S"),
            "policy.yaml:7: allowedLateness: 'PT0.0001S' is not a duration; " + DURATION),
        loader(
            policy("allowedLateness: 36525d1ms"),
            "policy.yaml:7: allowedLateness: '36525d1ms' is longer than 100 years; write at most"
                + " 36525d"),
        schema(
            policy("accumulation: summing"),
            "policy.yaml:7: accumulation: 'summing' is not an accumulation; write one of"
                + " accumulating, discarding, retracting"),
        schema(
            policy("tooLate: drop"),
            "policy.yaml:7: tooLate: 'drop' is not a way with too-late events; write one of"
                + " quarantine, drop-and-count"),
        schema(
            policy("watermark: {maxOutOfOrder: 5s}"),
            "policy.yaml:7: watermark.maxOutOfOrder: is not a field of a watermark; did you mean"
                + " 'maxOutOfOrderness'?"),
        schema(
            policy("watermark: {idleAfter: soon}"),
            "policy.yaml:7: watermark.idleAfter: 'soon' is not a duration; " + DURATION));
  }

  private static List<Invalid> windows() {
    return List.of(
        window("{}", "window: is an empty mapping; " + WINDOW),
        window("global", "window: 'global' is not a window; " + WINDOW),
        window(
            "{fixed: {size: 5m}, sessions: {gap: 5m}}",
            "window: has fixed and sessions; " + WINDOW),
        window(
            "{fixd: {size: 5m}}", "window.fixd: is not a field of a window; did you mean 'fixed'?"),
        window("{tumbling: {size: 5m}}", "window.tumbling: is not a field of a window; " + WINDOW),
        window("{fixed: 5m}", "window.fixed: '5m' is not a fixed window; write {size: …}"),
        window("{fixed: {}}", "window.fixed.size: is missing; " + DURATION),
        window(
            "{fixed: {size: 5 minutes}}",
            "window.fixed.size: '5 minutes' is not a duration; " + DURATION),
        window(
            "{fixed: {size: 0s}}", "window.fixed.size: '0s' is not above zero; write at least 1ms"),
        window(
            "{sliding: {size: PT0S, every: 1ms}}",
            "window.sliding.size: 'PT0S' is not above zero; write at least 1ms"),
        window(
            "{sliding: {size: 1m, every: 0m}}",
            "window.sliding.every: '0m' is not above zero; write at least 1ms"),
        window(
            "{sessions: {gap: 0d}}",
            "window.sessions.gap: '0d' is not above zero; write at least 1ms"),
        window(
            "{global: {size: 5m}}",
            "window.global.size: is not a field of the global window; write {}"),
        windowRule(
            "{fixed: {size: 5m, offset: 300s}}",
            "window.fixed.offset: '300s' is not below size '5m'; write less than size"),
        windowRule(
            "{sliding: {size: 1h, every: 5m, offset: 5m}}",
            "window.sliding.offset: '5m' is not below every '5m'; write less than every"),
        windowRule(
            "{sliding: {size: 5m, every: 1h}}",
            "window.sliding.every: '1h' is longer than size '5m', so events between windows would"
                + " be lost; write at most size"),
        windowRule(
            "{sliding: {size: 10001ms, every: 1ms}}",
            "window.sliding.every: '1ms' puts each event in 10001 windows; write at least size /"
                + " 10000"),
        windowRule(
            "{sessions: {gap: 30m, maxDuration: 30m}}",
            "window.sessions.maxDuration: '30m' is not longer than gap '30m'; write more than gap"));
  }

  private static List<Invalid> calendars() {
    return List.of(
        schema(
            policy("window: {calendar: {}}"),
            "policy.yaml:5: window.calendar.period: is missing; write one of day, week, month,"
                + " quarter, year",
            "policy.yaml:5: window.calendar.zone: is missing; write a name such as Asia/Jakarta"),
        window(
            "{calendar: {period: hour, zone: UTC}}",
            "window.calendar.period: 'hour' is not a period; write one of day, week, month,"
                + " quarter, year"),
        windowRule(
            "{calendar: {period: day, zone: Asia/Jakrta}}",
            "window.calendar.zone: 'Asia/Jakrta' is not a time zone; did you mean 'Asia/Jakarta'?"),
        windowRule(
            "{calendar: {period: day, zone: the moon}}",
            "window.calendar.zone: 'the moon' is not a time zone; write a name such as"
                + " Asia/Jakarta"),
        window(
            "{calendar: {period: day, zone: UTC, startsAt: 7am}}",
            "window.calendar.startsAt: '7am' is not a time of day; write hours and minutes,"
                + " \"07:00\" say"),
        window(
            "{calendar: {period: day, zone: UTC, startsAt: \"24:00\"}}",
            "window.calendar.startsAt: '24:00' is not a time of day; write hours and minutes,"
                + " \"07:00\" say"),
        window(
            "{calendar: {period: week, zone: UTC, weekStartsOn: monday}}",
            "window.calendar.weekStartsOn: 'monday' is not a day of the week; write one of MONDAY,"
                + " TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY"),
        window(
            "{calendar: {period: month, zone: UTC, weekStartsOn: MONDAY}}",
            "window.calendar.weekStartsOn: has no meaning for the period 'month'; leave it out"),
        window(
            "{calendar: {period: year, zone: UTC, fiscalYearStartsIn: 13}}",
            "window.calendar.fiscalYearStartsIn: the number 13 is not a month; write a whole number"
                + " from 1 to 12"),
        window(
            "{calendar: {period: year, zone: UTC, fiscalYearStartsIn: \"4\"}}",
            "window.calendar.fiscalYearStartsIn: '4' is not a month; write a whole number from 1 to"
                + " 12"),
        window(
            "{calendar: {period: week, zone: UTC, fiscalYearStartsIn: 4}}",
            "window.calendar.fiscalYearStartsIn: has no meaning for the period 'week'; leave it"
                + " out"),
        window(
            "{calendar: {periods: p.csv, period: day}}",
            "window.calendar.period: is not a field of a calendar of periods; did you mean"
                + " 'periods'?"),
        window(
            "{calendar: {periods: p.csv, zone: UTC}}",
            "window.calendar.zone: is not a field of a calendar of periods; write one of periods,"
                + " calendarVersion"),
        window(
            "{calendar: {period: day, zone: UTC, calendarVersion: \"1\"}}",
            "window.calendar.calendarVersion: is not a field of a calendar window; write one of"
                + " period, zone, startsAt, weekStartsOn, fiscalYearStartsIn"));
  }

  private static List<Invalid> triggers() {
    return List.of(
        schema(
            policy("trigger: {early: {every: 10s, count: 5}}"),
            "policy.yaml:7: trigger.early: has every and count; " + CADENCE),
        schema(
            policy("trigger: {early: 10s}"),
            "policy.yaml:7: trigger.early: '10s' is not a cadence; " + CADENCE),
        schema(
            policy("trigger: {early: {every: 0s}}"),
            "policy.yaml:7: trigger.early.every: '0s' is not above zero; write at least 1ms"),
        schema(
            policy("trigger: {late: {count: 0}}"),
            "policy.yaml:7: trigger.late.count: the number 0 is not a count; write a whole number"
                + " from 1 to 2147483647"),
        schema(
            policy("trigger: {late: {count: 1.5}}"),
            "policy.yaml:7: trigger.late.count: the number 1.5 is not a count; write a whole number"
                + " from 1 to 2147483647"),
        schema(
            policy("trigger: {late: {count: 99999999999}}"),
            "policy.yaml:7: trigger.late.count: the number 99999999999 is not a count; write a"
                + " whole number from 1 to 2147483647"),
        schema(
            policy("window: {global: {}}"),
            "policy.yaml:1: trigger: has no early firing, and the global window never ends; write"
                + " {early: {every: 10s}} or {early: {count: 1000}}"),
        schema(
            policy("window: {global: {}}", "trigger: {late: {count: 1}}"),
            "policy.yaml:7: trigger: has no early firing, and the global window never ends; write"
                + " {early: {every: 10s}} or {early: {count: 1000}}"),
        loader(
            policy("window: {global: {}}", "trigger: {early: {count: 5}, late: {count: 2}}"),
            "policy.yaml:7: trigger: has late firings, and nothing is late for the global window;"
                + " leave late out"),
        loader(
            policy("window: {global: {}}", "trigger: {early: {count: 5}}", "allowedLateness: 1m"),
            "policy.yaml:8: allowedLateness: has no meaning on the global window, which never ends;"
                + " leave it out"));
  }

  private static List<Invalid> aggregates() {
    return List.of(
        schema(
            policy("aggregates: {}"),
            "policy.yaml:6: aggregates: has 0 entries; write 1 to 1000 entries, {name: …}"),
        schema(
            policy("aggregates: {1st: count}"),
            "policy.yaml:6: aggregates.1st: '1st' is not a name; write letters, digits, '_' and"
                + " '-', first a letter or '_'"),
        aggregate("cuont", "aggregates.a: 'cuont' is not an aggregate; " + AGGREGATE),
        aggregate(
            "{count: /v}", "aggregates.a.count: is not a field of an aggregate; " + AGGREGATE),
        aggregate(
            "{smu: /v}", "aggregates.a.smu: is not a field of an aggregate; did you mean 'sum'?"),
        aggregate("{sum: /v, min: /v}", "aggregates.a: has sum and min; " + AGGREGATE),
        aggregate("{sum: v}", "aggregates.a.sum: 'v' is not a JSON Pointer; " + POINTER),
        aggregate("{sum: {}}", "aggregates.a.sum.of: is missing; " + POINTER),
        aggregate(
            "{sum: {of: /v, exact: true}}",
            "aggregates.a.sum.exact: is not a field of a sum; write of"),
        aggregate(
            "{distinct: {of: /v, exact: \"true\"}}",
            "aggregates.a.distinct.exact: 'true' is not a truth value; write true or false"),
        aggregate(
            "{quantile: /v}", "aggregates.a.quantile: '/v' is not a quantile; write {of: …, q: …}"),
        aggregate(
            "{quantile: {of: /v}}",
            "aggregates.a.quantile.q: is missing; write a number from 0 to 1"),
        aggregate(
            "{quantile: {of: /v, q: 1.01}}",
            "aggregates.a.quantile.q: the number 1.01 is not a share; write a number from 0 to 1"),
        aggregate(
            "{top: {of: /v, n: 0}}",
            "aggregates.a.top.n: the number 0 is not a length; write a whole number from 1 to"
                + " 10000"),
        aggregate(
            "{top: {of: /v, n: 10001}}",
            "aggregates.a.top.n: the number 10001 is not a length; write a whole number from 1 to"
                + " 10000"));
  }

  private static List<Invalid> formats() {
    return List.of(
        schema(
            policy("format: xml"),
            "policy.yaml:7: format: 'xml' is not a format; write exactly one of json, {csv: …}"),
        schema(
            policy("format: {csv: {}}"),
            "policy.yaml:7: format.csv.columns: is missing; write 1 to 1000 items, [name, …]"),
        schema(
            policy("format: {csv: {columns: []}}"),
            "policy.yaml:7: format.csv.columns: has 0 items; write 1 to 1000 items, [name, …]"),
        schema(
            policy("format: {csv: {columns: [t, k, t]}}"),
            "policy.yaml:7: format.csv.columns[2]: 't' stands twice, first as"
                + " format.csv.columns[0]; write it once"),
        schema(
            policy("format: {csv: {columns: [t, k], separator: \"||\"}}"),
            "policy.yaml:7: format.csv.separator: '||' is not a separator; write one character, in"
                + " quotes"),
        schema(
            policy("format: {csv: {columns: [t, k], separator: \"😀\"}}"),
            "policy.yaml:7: format.csv.separator: '😀' is not a separator; write one character, in"
                + " quotes"),
        loader(
            policy("format: {csv: {columns: [time, kind]}}", "aggregates: {a: {sum: /kind/x}}"),
            "policy.yaml:3: timestamp: '/t' is not a column of the format; write one of /time,"
                + " /kind",
            "policy.yaml:4: key.k: '/k' is not a column of the format; write one of /time, /kind",
            "policy.yaml:6: aggregates.a.sum: '/kind/x' is not a column of the format; write one"
                + " of /time, /kind"));
  }
}
