package dev.tidemark.policy;

import static dev.tidemark.policy.Scalars.TEXT;
import static dev.tidemark.policy.Scalars.constants;
import static dev.tidemark.policy.Scalars.kebab;
import static dev.tidemark.policy.Scalars.text;
import static dev.tidemark.policy.Scalars.whole;

import dev.tidemark.policy.Fields.Field;
import dev.tidemark.policy.Fields.Values;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/** The form of the policy's {@code window}, and the rules between its fields. */
final class WindowGrammar {
  private static final int MOST_WINDOWS_OF_AN_EVENT = 10_000;

  private static final Shape<ZoneId> ZONE =
      text("a time zone", "[\\s\\S]+", "write a name such as Asia/Jakarta", WindowGrammar::zone);

  static final Shape<Windowing> WINDOW = window();

  private WindowGrammar() {}

  private static Shape<Windowing> window() {
    return new ChoiceShape<Windowing>("a window")
        .or("fixed", fixed(), "Windows of one size, end to end.")
        .or("sliding", sliding(), "Windows of one size that start every so often and overlap.")
        .or("sessions", sessions(), "Per key, events less than the gap apart.")
        .or("global", global(), "One window without an end; needs an early trigger.")
        .or("calendar", calendar(), "Civil periods of a time zone, or the periods of a file.");
  }

  private static Shape<Windowing> fixed() {
    Fields fields = new Fields("a fixed window");
    Field<Duration> size =
        fields.required("size", DurationShape.ABOVE_ZERO, "How long each window is.");
    Field<Duration> offset =
        fields.optional(
            "offset",
            DurationShape.ANY,
            "0s",
            "How far after the epoch windows start; less than size.");
    fields.rule(values -> checkBelow(values, offset, size), size, offset);
    return fields.make(values -> new Windowing.Fixed(values.get(size), values.get(offset)));
  }

  private static Shape<Windowing> sliding() {
    Fields fields = new Fields("a sliding window");
    Field<Duration> size =
        fields.required("size", DurationShape.ABOVE_ZERO, "How long each window is.");
    Field<Duration> every =
        fields.required(
            "every", DurationShape.ABOVE_ZERO, "The time from one window's start to the next.");
    Field<Duration> offset =
        fields.optional(
            "offset",
            DurationShape.ANY,
            "0s",
            "How far after the epoch windows start; less than every.");
    fields.rule(values -> checkOverlap(values, size, every), size, every);
    fields.rule(values -> checkBelow(values, offset, every), every, offset);
    return fields.make(
        values -> new Windowing.Sliding(values.get(size), values.get(every), values.get(offset)));
  }

  private static void checkBelow(Values values, Field<Duration> offset, Field<Duration> bound) {
    if (!values.get(offset).isShorterThan(values.get(bound))) {
      values.refuse(
          offset,
          values.described(offset)
              + " is not below "
              + bound.name()
              + " "
              + values.described(bound),
          "write less than " + bound.name());
    }
  }

  private static void checkOverlap(Values values, Field<Duration> size, Field<Duration> every) {
    long sizeMillis = values.get(size).getMillis();
    long everyMillis = values.get(every).getMillis();
    if (everyMillis > sizeMillis) {
      values.refuse(
          every,
          values.described(every)
              + " is longer than size "
              + values.described(size)
              + ", so events between windows would be lost",
          "write at most size");
    }
    long windows = (sizeMillis + everyMillis - 1) / everyMillis;
    if (windows > MOST_WINDOWS_OF_AN_EVENT) {
      values.refuse(
          every,
          values.described(every) + " puts each event in " + windows + " windows",
          "write at least size / " + MOST_WINDOWS_OF_AN_EVENT);
    }
  }

  private static Shape<Windowing> sessions() {
    Fields fields = new Fields("a session window");
    Field<Duration> gap =
        fields.required(
            "gap", DurationShape.ABOVE_ZERO, "How long without an event ends a session.");
    Field<@Nullable Duration> maxDuration =
        fields.optional(
            "maxDuration",
            DurationShape.ABOVE_ZERO,
            "The longest that a session may become; longer than gap.");
    fields.rule(
        values -> {
          Duration longest = values.get(maxDuration);
          if (longest != null && !longest.isLongerThan(values.get(gap))) {
            values.refuse(
                maxDuration,
                values.described(maxDuration) + " is not longer than gap " + values.described(gap),
                "write more than gap");
          }
        },
        gap,
        maxDuration);
    return fields.make(values -> new Windowing.Sessions(values.get(gap), values.get(maxDuration)));
  }

  private static Shape<Windowing> global() {
    return new Fields("the global window").make(values -> new Windowing.Global());
  }

  private static Shape<Windowing> calendar() {
    return new EitherShape<>(
        place -> place.hasField("periods"), reportingCalendar(), civilCalendar());
  }

  private static Shape<Windowing> civilCalendar() {
    Fields fields = new Fields("a calendar window");
    Field<Windowing.Period> period =
        fields.required(
            "period", kebab("a period", Windowing.Period.class), "The length of each window.");
    Field<ZoneId> zone =
        fields.required("zone", ZONE, "The time zone, Asia/Jakarta say; its clock changes count.");
    Field<LocalTime> startsAt =
        fields.optional(
            "startsAt",
            text(
                "a time of day",
                "(?:[01][0-9]|2[0-3]):[0-5][0-9]",
                "write hours and minutes, \"07:00\" say",
                (place, text) -> LocalTime.parse(text)),
            "00:00",
            "The local time at which each period's first day starts.");
    Field<DayOfWeek> weekStartsOn =
        fields.optional(
            "weekStartsOn",
            constants("a day of the week", DayOfWeek.class),
            "MONDAY",
            "The first day of a week; only for the period week.");
    Field<Month> fiscalYearStartsIn =
        fields.optional(
            "fiscalYearStartsIn",
            whole("a month", 1, 12).as(Month::of),
            "1",
            "The first month of a year; only for the periods quarter and year.");
    fields.rule(
        values -> checkPeriod(values, weekStartsOn, period, Windowing.Period.WEEK),
        period,
        weekStartsOn);
    fields.condition(
        """
        {"if": {"properties": {"period": {"const": "week"}}},
         "else": {"properties": {"weekStartsOn": false}}}
        """);
    fields.rule(
        values ->
            checkPeriod(
                values,
                fiscalYearStartsIn,
                period,
                Windowing.Period.QUARTER,
                Windowing.Period.YEAR),
        period,
        fiscalYearStartsIn);
    fields.condition(
        """
        {"if": {"properties": {"period": {"enum": ["quarter", "year"]}}},
         "else": {"properties": {"fiscalYearStartsIn": false}}}
        """);
    return fields.make(
        values ->
            new Windowing.Calendar(
                values.get(period),
                values.get(zone),
                values.get(startsAt),
                values.get(weekStartsOn),
                values.get(fiscalYearStartsIn)));
  }

  private static void checkPeriod(
      Values values,
      Field<?> setting,
      Field<Windowing.Period> period,
      Windowing.Period... meaningful) {
    if (values.has(setting) && !List.of(meaningful).contains(values.get(period))) {
      values.refuse(
          setting, "has no meaning for the period " + values.described(period), "leave it out");
    }
  }

  private static Shape<Windowing> reportingCalendar() {
    Fields fields = new Fields("a calendar of periods");
    Field<String> periods =
        fields.required(
            "periods",
            TEXT,
            "A CSV file with the columns periodId, start, end, zone and calendarVersion, found from"
                + " the policy's folder.");
    Field<@Nullable String> version =
        fields.optional(
            "calendarVersion", TEXT, "The version to use; needed where the file holds several.");
    return fields.make(values -> readPeriods(values, periods, version));
  }

  private static @Nullable Windowing readPeriods(
      Values values, Field<String> periods, Field<@Nullable String> version) {
    Reading reading = values.mapping().reading();
    String file = TextFile.beside(reading.file(), values.get(periods));
    PeriodsFile calendar;
    try {
      calendar = PeriodsFile.parse(reading, file, TextFile.read(file, PeriodsFile.MOST_BYTES));
    } catch (IOException e) {
      values.refuse(
          periods,
          values.described(periods) + " cannot be read: " + e.getMessage(),
          "name a CSV file, found from the policy's folder");
      return null;
    }
    String chosen = chooseVersion(values, version, calendar.versions());
    return chosen == null ? null : new Windowing.ReportingCalendar(file, calendar.periods(chosen));
  }

  private static @Nullable String chooseVersion(
      Values values, Field<@Nullable String> version, Set<String> versions) {
    String wanted = values.get(version);
    if (wanted == null && versions.size() > 1) {
      values.refuse(
          version,
          "is missing, and the file holds several versions",
          Messages.writeOneOf(versions));
    } else if (wanted != null && !versions.isEmpty() && !versions.contains(wanted)) {
      values.refuse(
          version,
          values.described(version) + " is not a version of the file",
          Messages.writeOneOf(versions));
      return null;
    }
    return wanted != null || versions.size() != 1 ? wanted : versions.iterator().next();
  }

  private static @Nullable ZoneId zone(Place place, String text) {
    if (!Zones.isKnown(text)) {
      place.refuse(place.described() + " is not a time zone", Zones.didYouMean(text));
      return null;
    }
    return ZoneId.of(text);
  }
}
