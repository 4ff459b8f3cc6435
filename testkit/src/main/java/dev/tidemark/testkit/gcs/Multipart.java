package dev.tidemark.testkit.gcs;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Multipart bodies (RFC 2046), and the headers and bodies inside their parts. */
final class Multipart {
  private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)\"?");
  private static final String END_OF_HEADERS = "\r\n\r\n";

  /**
   * A head and a body with an empty line between.
   *
   * @param firstLine in front of the headers; empty if there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
  record Message(String firstLine, Headers headers, byte[] body) {}

  private Multipart() {}

  /** The parts of the request's body. */
  static List<Message> parts(Request request) {
    Matcher boundary = BOUNDARY.matcher(request.header("Content-Type", ""));
    if (!boundary.find()) {
      throw Refusal.invalid("A multipart body needs a boundary in its Content-Type");
    }
    String delimiter = "\r\n--" + boundary.group(1);
    String body = "\r\n" + text(request.body());
    List<Message> parts = new ArrayList<>();
    int start = body.indexOf(delimiter);
    while (start >= 0) {
      int end = body.indexOf(delimiter, start + 1);
      if (end >= 0) {
        parts.add(message(body.substring(start + delimiter.length(), end)));
      }
      start = end;
    }
    return parts;
  }

  /** The message inside a part of type {@code application/http}. */
  static Message http(byte[] content) {
    return message(text(content));
  }

  private static Message message(String message) {
    int end = message.indexOf(END_OF_HEADERS);
    if (end < 0) {
      throw Refusal.invalid("A part has no empty line behind its headers");
    }
    List<String> lines = message.substring(0, end).lines().toList();
    Headers headers = new Headers();
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      int colon = line.indexOf(':');
      headers.add(line.substring(0, colon).trim(), line.substring(colon + 1).trim());
    }
    byte[] body =
        message.substring(end + END_OF_HEADERS.length()).getBytes(StandardCharsets.ISO_8859_1);
    return new Message(lines.isEmpty() ? "" : lines.get(0), headers, body);
  }

  /** Of one character for each byte. */
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
