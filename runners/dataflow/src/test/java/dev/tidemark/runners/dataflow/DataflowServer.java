package dev.tidemark.runners.dataflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the Dataflow API in this process: takes what is submitted, and says of it what a test
 * tells it to say. It runs nothing.
 *
 * @see <a
 *     href="https://cloud.google.com/dataflow/docs/reference/rest/v1b3/projects.locations.jobs">The
 *     API</a>
 */
final class DataflowServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JOB = "2026-07-04_10_00_00-1";
  private static final String EARLIER = "2026-07-04_09_00_00-7";
  private static final String JOBS = "/v1b3/projects/tidemark-test/locations/europe-west1/jobs";

  private final HttpServer http;
  private final List<JsonNode> submitted = new CopyOnWriteArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final Map<String, String> running = new TreeMap<>();
  private final Deque<String> states = new ArrayDeque<>();
  private final Map<String, Long> counters = new TreeMap<>();

  private DataflowServer(HttpServer http) {
    this.http = http;
  }

  static DataflowServer start() {
    try {
      DataflowServer server =
          new DataflowServer(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
      server.http.createContext("/", server::serve);
      server.http.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The options that send a job here. */
  List<String> arguments() {
    return List.of(
        "--runner=DataflowRunner",
        "--region=europe-west1",
        "--dataflowEndpoint=http://127.0.0.1:" + http.getAddress().getPort() + "/");
  }

  /** The states that the next job is in, one for each look at it; the last one stays. */
  synchronized void willBe(String... next) {
    states.clear();
    states.addAll(List.of(next));
  }

  /** What a step of the next job has counted. */
  synchronized void willCount(String counter, long count) {
    counters.put(counter, count);
  }

  /** That a job of this name runs. */
  synchronized void runs(String name) {
    running.put(name, EARLIER);
  }

  /** The jobs that were submitted. */
  List<JsonNode> submitted() {
    return List.copyOf(submitted);
  }

  /** The full name of a step. */
  static String name(JsonNode step) {
    return step.at("/properties/user_name/value").asText();
  }

  /** Calls that it does not know. */
  List<String> refused() {
    return List.copyOf(refused);
  }

  @Override
  public void close() {
    http.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String call = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
      JsonNode request = JSON.readTree(body(exchange));
      JsonNode answer;
      try {
        answer = answer(call, request);
      } catch (RuntimeException e) { // or the client would try again and again
        refused.add(call + ": " + e);
        answer = null;
      }
      byte[] body = JSON.writeValueAsBytes(answer == null ? JSON.createObjectNode() : answer);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static InputStream body(HttpExchange exchange) throws IOException {
    return "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))
        ? new GZIPInputStream(exchange.getRequestBody())
        : exchange.getRequestBody();
  }

  private synchronized @Nullable JsonNode answer(String call, @Nullable JsonNode request) {
    return switch (call.replace(JOBS, "")) {
      case "POST " -> create(request);
      case "GET " -> list();
      case "GET /" + JOB -> job(states.size() > 1 ? states.remove() : states.element());
      case "GET /" + EARLIER -> described();
      case "GET /" + JOB + "/messages" -> JSON.createObjectNode();
      case "GET /" + JOB + "/metrics" -> metrics();
      default -> {
        refused.add(call);
        yield null;
      }
    };
  }

  private JsonNode create(JsonNode job) {
    submitted.add(job);
    return job("JOB_STATE_PENDING")
        .put(
            "clientRequestId", submitted.get(submitted.size() - 1).at("/clientRequestId").asText());
  }

  /** The job that runs, with the options of the last that was submitted, if any was. */
  private JsonNode described() {
    ObjectNode environment = JSON.createObjectNode();
    if (submitted.isEmpty()) {
      environment.putObject("sdkPipelineOptions");
    } else {
      environment.set(
          "sdkPipelineOptions",
          submitted.get(submitted.size() - 1).at("/environment/sdkPipelineOptions"));
    }
    return job("JOB_STATE_RUNNING").put("id", EARLIER).set("environment", environment);
  }

  private static ObjectNode job(String state) {
    ObjectNode job = JSON.createObjectNode().put("id", JOB).put("currentState", state);
    return state.equals("JOB_STATE_UPDATED") ? job.put("replacedByJobId", JOB + "2") : job;
  }

  private JsonNode list() {
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode jobs = answer.putArray("jobs");
    running.forEach(
        (name, id) -> jobs.add(job("JOB_STATE_RUNNING").put("name", name).put("id", id)));
    return answer;
  }

  /** The service gives each counter twice: as it is, and as it may become. */
  private JsonNode metrics() {
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode metrics = answer.putArray("metrics");
    counters.forEach(
        (counter, count) -> {
          for (boolean tentative : List.of(false, true)) {
            ObjectNode metric = metrics.addObject().put("scalar", count);
            ObjectNode name = metric.putObject("name").put("origin", "user").put("name", counter);
            ObjectNode context =
                name.putObject("context").put("namespace", "tidemark").put("step", step());
            if (tentative) {
              context.put("tentative", "true");
            }
          }
        });
    return answer;
  }

  /** Any step of the first policy. */
  private String step() {
    for (JsonNode step : submitted.get(submitted.size() - 1).at("/steps")) {
      if (name(step).startsWith("revenue-per-store/")) {
        return step.at("/name").asText();
      }
    }
    throw new IllegalStateException("the job has no step of the policy");
  }
}
