package dev.tidemark.testkit.gcs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Bare calls to a server: nothing is retried, and what Beam never sends can be sent. */
final class Http {
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI endpoint;

  Http(GcsServer server) {
    this.endpoint = URI.create(server.endpoint());
  }

  /**
   * Sends a call.
   *
   * @param path with the query, or a whole URL
   * @param headers name, value, name, value…
   */
  HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint.resolve(path))
            .method(method, BodyPublishers.ofString(body, UTF_8));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
