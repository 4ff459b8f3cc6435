package dev.tidemark.testkit.gcs;

import com.google.api.client.json.GenericJson;
import com.google.api.client.json.gson.GsonFactory;
import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.io.UncheckedIOException;

/** An answer. */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record Response(int status, Headers headers, byte[] body) {

  static Response of(int status, String contentType, byte[] body) {
    return new Response(status, new Headers(), body).with("Content-Type", contentType);
  }

  static Response empty(int status) {
    return new Response(status, new Headers(), new byte[0]);
  }

  static Response json(int status, GenericJson resource) {
    try {
      byte[] body = GsonFactory.getDefaultInstance().toByteArray(resource);
      return of(status, "application/json; charset=UTF-8", body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same with one more header. */
  Response with(String header, String value) {
    Headers more = new Headers();
    more.putAll(headers);
    more.set(header, value);
    return new Response(status, more, body);
  }
}
