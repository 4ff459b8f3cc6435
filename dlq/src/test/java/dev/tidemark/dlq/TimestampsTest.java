package dev.tidemark.dlq;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** A text is the time that {@code java.time} reads in it, or none where that reads none. */
class TimestampsTest {
  private static final String CHARACTERS = "0123456789-+:.,TtZz /";

  @Provide
  Arbitrary<String> times() {
    Arbitrary<OffsetDateTime> times =
        Combinators.combine(
                Arbitraries.longs().between(-62_135_596_800L, 253_402_300_799L),
                Arbitraries.integers().between(0, 999_999_999),
                Arbitraries.integers().between(-18 * 60, 18 * 60))
            .as(
                (second, nano, offset) ->
                    OffsetDateTime.ofInstant(
                        java.time.Instant.ofEpochSecond(second, nano),
                        ZoneOffset.ofTotalSeconds(offset * 60)));
    return Combinators.combine(
            times,
            Arbitraries.of(
                List.of(
                    DateTimeFormatter.ISO_OFFSET_DATE_TIME,
                    DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX"),
                    DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SXXX"),
                    DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssXXX"),
                    DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mmXXX"))))
        .as((time, format) -> format.format(time));
  }

  /** Times with one or two characters changed, left out or added. */
  @Provide
  Arbitrary<String> nearlyTimes() {
    Arbitrary<Integer> places = Arbitraries.integers().between(0, 40);
    Arbitrary<String> characters =
        Arbitraries.oneOf(
            Arbitraries.strings().withChars(CHARACTERS).ofMaxLength(2),
            Arbitraries.strings().ofMaxLength(1));
    return Combinators.combine(times(), places, places, characters)
        .as(
            (time, from, length, replacement) -> {
              int start = Math.min(from, time.length());
              int end = Math.min(time.length(), start + length % 3);
              return time.substring(0, start) + replacement + time.substring(end);
            });
  }

  /** Each part in its range or a little beyond. */
  @Provide
  Arbitrary<String> partsAtTheirEdges() {
    Arbitrary<Integer> parts =
        Arbitraries.of(0, 1, 2, 12, 13, 17, 18, 23, 24, 28, 29, 30, 31, 59, 60);
    return Combinators.combine(
            Arbitraries.of(0, 1, 1900, 1969, 2000, 2023, 2024, 9999),
            parts,
            parts,
            parts,
            parts,
            parts,
            parts)
        .as(
            (year, month, day, hour, minute, second, offset) ->
                "%04d-%02d-%02dT%02d:%02d:%02d+%02d:%02d"
                    .formatted(year, month, day, hour, minute, second, offset, minute));
  }

  @Property(tries = 5_000)
  void timesAreRead(@ForAll("times") String text) {
    assertThat(text, read(text), is(reference(text)));
  }

  @Property(tries = 10_000)
  void whatIsNearlyATimeIsOneOnlyWhereJavaTimeSaysSo(@ForAll("nearlyTimes") String text) {
    assertThat(text, read(text), is(reference(text)));
  }

  @Property(tries = 5_000)
  void datesAndTimesOutOfRangeAreNone(@ForAll("partsAtTheirEdges") String text) {
    assertThat(text, read(text), is(reference(text)));
  }

  private static @Nullable Long read(String text) {
    try {
      return Timestamps.epochMillis(text);
    } catch (DateTimeException none) {
      return null;
    }
  }

  private static @Nullable Long reference(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException none) {
      return null;
    }
  }
}
