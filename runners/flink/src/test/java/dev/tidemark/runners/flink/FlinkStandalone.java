package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.pipelines.kafka.Await;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.client.cli.CliFrontend;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;

/**
 * A Flink cluster on this machine: a JobManager and TaskManagers, each in a JVM of its own with
 * nothing of Beam or Tidemark on its class path, so that jobs must bring both.
 */
final class FlinkStandalone implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int SLOTS = 2;
  private static final Pattern NOT_FLINK = Pattern.compile("/(beam|tidemark|jackson|kafka)[-_]");
  private static final Pattern GIVEN_UP =
      Pattern.compile("The heartbeat of JobManager with id \\S+ timed out");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final int restPort;
  private final List<Process> taskManagers = new ArrayList<>();
  private int taskManagersEver;
  private Process jobManager;

  private FlinkStandalone(Path directory, int restPort, Process jobManager) {
    this.directory = directory;
    this.restPort = restPort;
    this.jobManager = jobManager;
  }

  /**
   * A JobManager without TaskManagers.
   *
   * @param directory for its configuration and logs
   */
  static FlinkStandalone start(Path directory) throws Exception {
    int restPort = freePort();
    Files.writeString(
        directory.resolve("config.yaml"),
        """
        jobmanager.rpc.address: %s
        jobmanager.rpc.port: %d
        jobmanager.bind-host: %s
        rest.address: %s
        rest.bind-address: %s
        rest.port: %d
        taskmanager.host: %s
        taskmanager.bind-host: %s
        taskmanager.numberOfTaskSlots: %d
        taskmanager.cpu.cores: %d
        taskmanager.memory.task.heap.size: 512m
        taskmanager.memory.task.off-heap.size: 0m
        taskmanager.memory.managed.size: 64m
        taskmanager.memory.network.min: 64m
        taskmanager.memory.network.max: 64m
        taskmanager.memory.framework.heap.size: 128m
        taskmanager.memory.framework.off-heap.size: 128m
        taskmanager.memory.jvm-metaspace.size: 256m
        taskmanager.memory.jvm-overhead.min: 192m
        taskmanager.memory.jvm-overhead.max: 192m
        heartbeat.interval: 1000
        heartbeat.timeout: 5000
        cluster.registration.error-delay: 500
        cluster.evenly-spread-out-slots: true
        restart-strategy.type: fixed-delay
        restart-strategy.fixed-delay.attempts: 1000
        restart-strategy.fixed-delay.delay: 100ms
        """
            .formatted(
                LOOPBACK,
                freePort(),
                LOOPBACK,
                LOOPBACK,
                LOOPBACK,
                restPort,
                LOOPBACK,
                LOOPBACK,
                SLOTS,
                SLOTS));
    FlinkStandalone cluster = new FlinkStandalone(directory, restPort, launchJobManager(directory));
    cluster.awaitRegistered();
    return cluster;
  }

  private static Process launchJobManager(Path directory) throws IOException {
    return launch(directory, StandaloneSessionClusterEntrypoint.class, "jobmanager");
  }

  /** Waits until the JobManager knows the TaskManagers that run, and no others. */
  private void awaitRegistered() throws Exception {
    Await.until(this::registered, is(taskManagers.size()));
  }

  /** How many TaskManagers the JobManager knows; -1 where it does not answer. */
  private int registered() throws InterruptedException {
    try {
      return ask("/overview").path("taskmanagers").asInt(-1);
    } catch (IOException e) {
      return -1;
    }
  }

  private JsonNode ask(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create("http://" + master() + path)).build());
  }

  private static JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    return JSON.readTree(CLIENT.send(request, BodyHandlers.ofString()).body());
  }

  /** The address for {@code --flinkMaster}. */
  String master() {
    return LOOPBACK + ":" + restPort;
  }

  /** One TaskManager more, of two slots. */
  void addTaskManager() throws Exception {
    taskManagers.add(launch(directory, TaskManagerRunner.class, "taskmanager-" + taskManagersEver));
    taskManagersEver++;
    awaitRegistered();
  }

  /** SIGKILL to one of the TaskManagers, in whose place comes another. */
  void replaceTaskManager(Random random) throws Exception {
    taskManagers.remove(random.nextInt(taskManagers.size())).destroyForcibly().waitFor();
    awaitRegistered();
    addTaskManager();
  }

  /** Stops one of the TaskManagers for as long as the JobManager takes to give it up. */
  void pauseTaskManager(Random random) throws Exception {
    Process paused = taskManagers.get(random.nextInt(taskManagers.size()));
    signal("STOP", paused);
    Await.until(this::registered, is(taskManagers.size() - 1));
    signal("CONT", paused);
    awaitRegistered();
  }

  /** SIGKILL to the JobManager, which is started again and knows no job. */
  void restartJobManager() throws Exception {
    jobManager.destroyForcibly().waitFor();
    jobManager = launchJobManager(directory);
    awaitRegistered();
  }

  /** Stops the JobManager for as long as a TaskManager takes to give it up. */
  void pauseJobManager() throws Exception {
    long before = givenUp();
    signal("STOP", jobManager);
    Await.until(this::givenUp, is(greaterThan(before)));
    signal("CONT", jobManager);
    awaitRegistered();
  }

  /** How often a TaskManager has given up the master of a job. */
  private long givenUp() throws IOException {
    long times = 0;
    for (int i = 0; i < taskManagersEver; i++) {
      try (Stream<String> log = Files.lines(log(directory, "taskmanager-" + i))) {
        times += log.filter(GIVEN_UP.asPredicate()).count();
      }
    }
    return times;
  }

  private static void signal(String name, Process process) throws Exception {
    int exitCode =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    assertThat("kill -" + name, exitCode, is(0));
  }

  /** What the {@code flink} command of this cluster says. */
  String flink(String... args) throws IOException {
    ProcessBuilder command = java(CliFrontend.class, args);
    command.environment().put("FLINK_CONF_DIR", directory.toString());
    try (InputStream said = command.redirectErrorStream(true).start().getInputStream()) {
      return new String(said.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Stops the one job that runs, with a savepoint.
   *
   * @param directory in which the savepoint gets a directory of its own
   * @return where the savepoint is, for {@code --savepointPath}
   */
  String stopJob(Path directory) throws Exception {
    String job = "/jobs/" + runningJob();
    String body =
        JSON.writeValueAsString(
            Map.of("targetDirectory", directory.toUri().toString(), "drain", false));
    HttpRequest stop =
        HttpRequest.newBuilder(URI.create("http://" + master() + job + "/stop"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    String savepoint = job + "/savepoints/" + send(stop).path("request-id").asText();
    Await.until(() -> ask(savepoint).path("status").path("id").asText(), is("COMPLETED"));
    JsonNode operation = ask(savepoint).path("operation");
    assertThat(operation.toString(), operation.has("location"));
    return operation.path("location").asText();
  }

  private String runningJob() throws Exception {
    for (JsonNode job : ask("/jobs").path("jobs")) {
      if (job.path("status").asText().equals("RUNNING")) {
        return job.path("id").asText();
      }
    }
    throw new AssertionError("no job runs");
  }

  private static Process launch(Path directory, Class<?> main, String name) throws IOException {
    return java(main, "--configDir", directory.toString())
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(log(directory, name).toFile()))
        .start();
  }

  private static Path log(Path directory, String name) {
    return directory.resolve(name + ".log");
  }

  private static ProcessBuilder java(Class<?> main, String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx700m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                flinkOnly(),
                main.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command);
  }

  /** The class path without what no distribution of Flink has: jobs must bring it. */
  private static String flinkOnly() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> !NOT_FLINK.matcher(entry).find())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    taskManagers.forEach(Process::destroyForcibly);
    jobManager.destroyForcibly();
  }
}
