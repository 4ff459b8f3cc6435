package dev.tidemark.testkit.gcs;

import dev.tidemark.testkit.gcs.Multipart.Message;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Several calls in the parts of one: {@code POST /batch/storage/v1}. */
final class BatchRequest {
  private static final Pattern REQUEST_LINE = Pattern.compile("(\\S+) (\\S+) HTTP/1\\.1");
  private static final String BOUNDARY = "batch_of_responses";
  private static final int MOST_PARTS = 100;

  private BatchRequest() {}

  static boolean is(Request request) {
    return request.path().startsWith("/batch");
  }

  /** Answers each part, in their order, each by itself: there is no all or nothing. */
  static Response answer(Request batch, Function<Request, Response> server) {
    List<Message> parts = Multipart.parts(batch);
    if (parts.isEmpty() || parts.size() > MOST_PARTS) {
      throw Refusal.invalid("A batch has 1 to " + MOST_PARTS + " parts, not " + parts.size());
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (Message part : parts) {
      write(body, part.headers().getFirst("Content-ID"), server.apply(request(part)));
    }
    body.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.ISO_8859_1));
    return Response.of(200, "multipart/mixed; boundary=" + BOUNDARY, body.toByteArray());
  }

  private static Request request(Message part) {
    Message http = Multipart.http(part.body());
    Matcher line = REQUEST_LINE.matcher(http.firstLine());
    if (!line.matches()) {
      throw Refusal.invalid("Not a request line in a batch: " + http.firstLine());
    }
    return Request.of(line.group(1), URI.create(line.group(2)), http.headers(), http.body());
  }

  private static void write(ByteArrayOutputStream body, String contentId, Response response) {
    StringBuilder head = new StringBuilder();
    head.append("--").append(BOUNDARY).append("\r\n");
    head.append("Content-Type: application/http\r\n");
    head.append("Content-ID: response-").append(contentId).append("\r\n\r\n");
    head.append("HTTP/1.1 ").append(response.status()).append(" \r\n");
    response
        .headers()
        .forEach(
            (name, values) -> head.append(name).append(": ").append(values.get(0)).append("\r\n"));
    head.append("Content-Length: ").append(response.body().length).append("\r\n\r\n");
    body.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    body.writeBytes(response.body());
    body.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
  }
}
