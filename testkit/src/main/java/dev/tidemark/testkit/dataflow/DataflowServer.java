package dev.tidemark.testkit.dataflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.tidemark.testkit.http.LoopbackServer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the Dataflow API in this process, for tests: a server of the JSON API on a free port
 * of the loopback interface. Beam's {@code DataflowRunner}, unmodified, talks to it once its
 * options are set ({@link #arguments}). It takes what is submitted, and says of it what a test
 * tells it to say. It runs nothing, and asks for no credentials.
 *
 * <p>It answers a call that it does not know with status 404, and tells of it ({@link #refused}).
 *
 * @see <a
 *     href="https://cloud.google.com/dataflow/docs/reference/rest/v1b3/projects.locations.jobs">The
 *     API</a>
 */
public final class DataflowServer implements AutoCloseable {
  /** The identifier of what is submitted. */
  public static final String JOB = "2026-07-04_10_00_00-1";

  /** The identifier of the job that runs already ({@link #runs}). */
  public static final String EARLIER = "2026-07-04_09_00_00-7";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REGION = "europe-west1";
  private static final String JOBS = "/v1b3/projects/tidemark-test/locations/" + REGION + "/jobs";

  private final List<JobRequest> submitted = new CopyOnWriteArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final Map<String, String> running = new TreeMap<>();
  private final Deque<String> states = new ArrayDeque<>();
  private final List<Counter> counters = new ArrayList<>();
  private final LoopbackServer http;

  private record Counter(String step, String name, long count) {}

  private DataflowServer() {
    http = LoopbackServer.start(this::serve);
  }

  /** A running server without jobs. */
  public static DataflowServer start() {
    return new DataflowServer();
  }

  /**
   * What a command line needs to send a job here, besides the storage server's arguments, which
   * have the project and the credentials.
   */
  public List<String> arguments() {
    return List.of(
        "--runner=DataflowRunner", "--region=" + REGION, "--dataflowEndpoint=" + http.url() + "/");
  }

  /** The states that the next job is in, one for each look at it; the last one stays. */
  public synchronized void willBe(String... next) {
    states.clear();
    states.addAll(List.of(next));
  }

  /**
   * What the next job will have counted.
   *
   * @param step how the full name of the step that counts begins
   * @param counter its name in the namespace {@code tidemark}
   */
  public synchronized void willCount(String step, String counter, long count) {
    counters.add(new Counter(step, counter, count));
  }

  /** That a job of this name runs. */
  public synchronized void runs(String name) {
    running.put(name, EARLIER);
  }

  /** The jobs that were submitted. */
  public List<JobRequest> submitted() {
    return List.copyOf(submitted);
  }

  /** Calls that it does not know. */
  public List<String> refused() {
    return List.copyOf(refused);
  }

  @Override
  public void close() {
    http.close();
  }

  private void serve(HttpExchange exchange) throws IOException {
    String call = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    JsonNode request = JSON.readTree(LoopbackServer.body(exchange));
    JsonNode answer;
    try {
      answer = answer(call, request);
    } catch (RuntimeException e) { // or the client would try again and again
      refused.add(call + ": " + e);
      answer = null;
    }
    LoopbackServer.answer(
        exchange, answer == null ? 404 : 200, answer == null ? JSON.createObjectNode() : answer);
  }

  private synchronized @Nullable JsonNode answer(String call, JsonNode request) {
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
    submitted.add(new JobRequest(job));
    return job("JOB_STATE_PENDING").put("clientRequestId", job.at("/clientRequestId").asText());
  }

  private JobRequest last() {
    return submitted.get(submitted.size() - 1);
  }

  /** The job that runs, with the options of the last that was submitted, if any was. */
  private JsonNode described() {
    ObjectNode environment = JSON.createObjectNode();
    if (submitted.isEmpty()) {
      environment.putObject("sdkPipelineOptions");
    } else {
      environment.set("sdkPipelineOptions", last().json().at("/environment/sdkPipelineOptions"));
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
    for (Counter counter : counters) {
      String step = last().stepBelow(counter.step());
      for (boolean tentative : List.of(false, true)) {
        ObjectNode metric = metrics.addObject().put("scalar", counter.count());
        ObjectNode name =
            metric.putObject("name").put("origin", "user").put("name", counter.name());
        ObjectNode context =
            name.putObject("context").put("namespace", "tidemark").put("step", step);
        if (tentative) {
          context.put("tentative", "true");
        }
      }
    }
    return answer;
  }
}
