package dev.tidemark.testkit.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** An HTTP server on a free port of the loopback interface, with a thread for each call. */
public final class LoopbackServer implements AutoCloseable {
  static {
    // Head and body are sent apart: without this, each answer waits for the client to acknowledge.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer http;

  private LoopbackServer(HttpServer http) {
    this.http = http;
  }

  /** A running server that hands every call to this. */
  public static LoopbackServer start(HttpHandler handler) {
    try {
      LoopbackServer server =
          new LoopbackServer(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
      server.http.setExecutor(server.threads);
      server.http.createContext("/", handler);
      server.http.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it is, without a slash at the end. */
  public String url() {
    InetSocketAddress address = http.getAddress();
    return "http://" + address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  /** What a call brings, unzipped. */
  public static byte[] body(HttpExchange exchange) throws IOException {
    InputStream sent = exchange.getRequestBody();
    boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    return zipped ? new GZIPInputStream(sent).readAllBytes() : sent.readAllBytes();
  }

  /** Answers a call, and ends it. */
  public static void answer(HttpExchange exchange, int status, JsonNode answer) throws IOException {
    try (exchange) {
      byte[] body = answer.toString().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
