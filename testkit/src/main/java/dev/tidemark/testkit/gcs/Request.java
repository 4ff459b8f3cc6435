package dev.tidemark.testkit.gcs;

import com.google.api.client.json.GenericJson;
import com.google.api.client.json.gson.GsonFactory;
import com.sun.net.httpserver.Headers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A call, decoded.
 *
 * @param path as it was sent, percent-encoded
 * @param query as it was sent; empty if there is none
 * @param parameters of the query
 * @param body without content encoding
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record Request(
    String method,
    String path,
    String query,
    Map<String, String> parameters,
    Headers headers,
    byte[] body) {

  /** Undoes what clients do to get through: gzip, and methods and queries moved to a POST. */
  static Request of(String method, URI uri, Headers headers, byte[] sentBody) {
    byte[] body = "gzip".equals(headers.getFirst("Content-Encoding")) ? gunzip(sentBody) : sentBody;
    String override = headers.getFirst("X-HTTP-Method-Override");
    String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
    if ("GET".equals(override)) {
      query = new String(body, StandardCharsets.UTF_8);
    }
    return new Request(
        override == null ? method : override,
        uri.getRawPath(),
        query,
        parameters(query),
        headers,
        body);
  }

  String parameter(String name, String absent) {
    return parameters.getOrDefault(name, absent);
  }

  /** A parameter that is a whole number, or null if it is not given. */
  @Nullable Long number(String name) {
    String text = parameters.get(name);
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw Refusal.invalid(name + " is not a whole number: " + text);
    }
  }

  String header(String name, String absent) {
    String value = headers.getFirst(name);
    return value == null ? absent : value;
  }

  /** The body as the resource that it describes; an empty one if there is no body. */
  <T extends GenericJson> T json(Class<T> type) {
    return json(body, type);
  }

  static <T extends GenericJson> T json(byte[] text, Class<T> type) {
    try {
      String json = text.length == 0 ? "{}" : new String(text, StandardCharsets.UTF_8);
      return GsonFactory.getDefaultInstance().fromString(json, type);
    } catch (IOException | IllegalArgumentException e) {
      throw Refusal.invalid("Not a " + type.getSimpleName() + " in JSON: " + e.getMessage());
    }
  }

  /** The names between the slashes of a path. */
  static List<String> decodedSegments(String path) {
    List<String> segments = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      // In a path a plus sign is itself.
      segments.add(decode(segment.replace("+", "%2B")));
    }
    return segments;
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
      }
    }
    return parameters;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static byte[] gunzip(byte[] body) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw Refusal.invalid("Not gzip: " + e.getMessage());
    }
  }
}
