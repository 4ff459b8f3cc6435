package dev.tidemark.dlq;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;

/**
 * ISO-8601 text with an offset as epoch milliseconds. Nearly all of it is of one form, {@code
 * 2026-07-04T10:00:00.123Z} or {@code 2026-07-04T12:00:00+02:00} say, which is read digit by digit
 * in a small part of the time that {@link OffsetDateTime#parse} takes. That reads what is left.
 */
final class Timestamps {
  private static final int SECONDS_END = "2026-07-04T10:00:00".length();
  private static final int MOST_FRACTION_DIGITS = 9;
  private static final int MOST_OFFSET_HOURS = 17; // and 18:00, which is left to java.time

  /**
   * Reads the text from left to right; once something is of another form, the rest is of no use.
   */
  private final String text;

  private boolean isCommon = true;

  private Timestamps(String text) {
    this.text = text;
  }

  /**
   * Reads a time. Fractions finer than a millisecond are cut off.
   *
   * @throws DateTimeException if it is none
   */
  static long epochMillis(String text) {
    Timestamps common = new Timestamps(text);
    long millis = common.millis();
    return common.isCommon ? millis : OffsetDateTime.parse(text).toInstant().toEpochMilli();
  }

  private long millis() {
    isCommon = text.length() > SECONDS_END;
    int year = number(0, 99) * 100 + number(2, 99);
    require(4, '-');
    int month = number(5, 12);
    require(7, '-');
    int day = number(8, 31);
    require(10, 'T');
    int hour = number(11, 23);
    require(13, ':');
    int minute = number(14, 59);
    require(16, ':');
    int second = number(17, 59);
    int zone = fractionEnd();
    int offset = offsetMinutes(zone);
    if (!isCommon) {
      return 0;
    }
    long days = LocalDate.of(year, month, day).toEpochDay();
    long minutes = (days * 24 + hour) * 60 + minute - offset;
    return (minutes * 60 + second) * 1000 + fractionMillis(zone);
  }

  /** The number of two digits at a place, up to the most that it may be. */
  private int number(int at, int most) {
    if (!isCommon) {
      return 0;
    }
    int tens = text.charAt(at) - '0';
    int ones = text.charAt(at + 1) - '0';
    int number = tens * 10 + ones;
    isCommon = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && number <= most;
    return number;
  }

  private void require(int at, char expected) {
    isCommon = isCommon && text.charAt(at) == expected;
  }

  /** Where the fraction of the second, if there is one, has ended. */
  private int fractionEnd() {
    int end = SECONDS_END;
    if (isCommon && text.charAt(end) == '.') {
      do {
        end++;
      } while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9');
      int digits = end - SECONDS_END - 1;
      isCommon = digits >= 1 && digits <= MOST_FRACTION_DIGITS && end < text.length();
    }
    return end;
  }

  private int fractionMillis(int end) {
    int millis = 0;
    for (int at = SECONDS_END + 1; at <= SECONDS_END + 3; at++) {
      millis = millis * 10 + (at < end ? text.charAt(at) - '0' : 0);
    }
    return millis;
  }

  private int offsetMinutes(int at) {
    if (!isCommon) {
      return 0;
    }
    char sign = text.charAt(at);
    if (sign == 'Z') {
      isCommon = at + 1 == text.length();
      return 0;
    }
    isCommon = (sign == '+' || sign == '-') && at + "+02:00".length() == text.length();
    int minutes = number(at + 1, MOST_OFFSET_HOURS) * 60;
    require(at + 3, ':');
    minutes += number(at + 4, 59);
    return sign == '-' ? -minutes : minutes;
  }
}
