package dev.tidemark.benchmarks.plain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Parses a click as one would who wants it fast: one pass of Jackson's streaming parser, objects
 * only of the fields that are needed, and no {@link Instant} where the time has its usual form. Not
 * for several threads.
 */
public final class ClickParser {
  private static final JsonFactory JSON = new JsonFactory();

  private final boolean wantsUrl;
  private final boolean wantsUser;
  private final boolean wantsBytes;

  private ClickParser(boolean wantsUrl, boolean wantsUser, boolean wantsBytes) {
    this.wantsUrl = wantsUrl;
    this.wantsUser = wantsUser;
    this.wantsBytes = wantsBytes;
  }

  /** A parser of the fields that a job needs. */
  public static ClickParser of(Job job) {
    return new ClickParser(job.needs("url"), job.needs("user"), job.needs("bytes"));
  }

  /**
   * Parses a line.
   *
   * @throws IOException if it is no click
   */
  public Click parse(String line) throws IOException {
    try (JsonParser json = JSON.createParser(line)) {
      return parse(json);
    }
  }

  /**
   * Parses a line that stands in a buffer.
   *
   * @throws IOException if it is no click
   */
  public Click parse(byte[] buffer, int offset, int length) throws IOException {
    try (JsonParser json = JSON.createParser(buffer, offset, length)) {
      return parse(json);
    }
  }

  private Click parse(JsonParser json) throws IOException {
    long time = Long.MIN_VALUE;
    String url = "";
    String user = "";
    long bytes = 0;
    json.nextToken();
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      JsonToken value = json.nextToken();
      if (name.equals("ts")) {
        time = time(json);
      } else if (wantsUrl && name.equals("url")) {
        url = json.getText();
      } else if (wantsUser && name.equals("user")) {
        user = json.getText();
      } else if (wantsBytes && name.equals("bytes")) {
        bytes = json.getLongValue();
      } else if (value.isStructStart()) {
        json.skipChildren();
      }
    }
    if (time == Long.MIN_VALUE) {
      throw new IOException("a click without a time");
    }
    return new Click(time, url, user, bytes);
  }

  private static long time(JsonParser json) throws IOException {
    char[] text = json.getTextCharacters();
    int start = json.getTextOffset();
    if (json.getTextLength() == 24 && text[start + 10] == 'T' && text[start + 23] == 'Z') {
      return millis(text, start);
    }
    try {
      return Instant.parse(json.getText()).toEpochMilli();
    } catch (DateTimeException e) {
      throw new IOException(e);
    }
  }

  /** Of 2024-07-04T10:00:00.000Z. */
  private static long millis(char[] text, int start) {
    long days =
        epochDay(
            number(text, start, 4), (int) number(text, start + 5, 2), number(text, start + 8, 2));
    long minutes = (days * 24 + number(text, start + 11, 2)) * 60 + number(text, start + 14, 2);
    return (minutes * 60 + number(text, start + 17, 2)) * 1_000 + number(text, start + 20, 3);
  }

  private static long number(char[] text, int start, int digits) {
    long number = 0;
    for (int i = start; i < start + digits; i++) {
      number = number * 10 + text[i] - '0';
    }
    return number;
  }

  /**
   * As the calendar's years were counted from March, with the leap day last.
   *
   * @see <a href="https://howardhinnant.github.io/date_algorithms.html">days_from_civil</a>
   */
  private static long epochDay(long year, int month, long day) {
    long y = month <= 2 ? year - 1 : year;
    long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return 365 * y + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468;
  }
}
