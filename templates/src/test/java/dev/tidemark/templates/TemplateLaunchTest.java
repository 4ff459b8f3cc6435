package dev.tidemark.templates;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.in;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.testkit.dataflow.DataflowServer;
import dev.tidemark.testkit.dataflow.JobRequest;
import dev.tidemark.testkit.gcs.GcsServer;
import dev.tidemark.testkit.pubsub.PubsubServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The main classes, started as the launcher of a flex template starts them, and as a user who
 * submits a job without one.
 */
class TemplateLaunchTest {
  private static final Path TESTDATA = Path.of(System.getProperty("tidemark.root"), "testdata");
  private static final String GRAPH = "gs://bucket/graph.json";
  private static final String POLICY = "--policy=gs://bucket/policy.yaml";
  private static final String OUTPUT = "--output=gs://bucket/out";

  private final GcsServer storage = GcsServer.start();
  private final PubsubServer messages = PubsubServer.start(1);
  private final DataflowServer service = DataflowServer.start();

  @TempDir private Path directory;

  /**
   * A job.
   *
   * @param parameters besides the policy and the output
   * @param step how the full name of a step begins
   * @param counters what that step counts, where the launch waits for the job's end
   * @param windows how those of the policy fire
   * @param said the end of a line that the launch says
   */
  private record Job(
      Class<?> main,
      List<String> parameters,
      boolean streaming,
      String step,
      Map<String, Integer> counters,
      List<String> windows,
      String said) {

    @Override
    public String toString() {
      return main.getSimpleName();
    }
  }

  static List<Job> jobs() {
    return List.of(
        new Job(
            WindowedAggregation.class,
            List.of(
                "--subscription=projects/" + PubsubServer.PROJECT + "/subscriptions/payments",
                "--detached=true"),
            true,
            "revenue-per-store/Aggregate/",
            Map.of(),
            // the window, and the margin that the lateness gate leaves it
            List.of(
                "ACCUMULATING PT10M AFTER_END_OF_WINDOW", "ACCUMULATING PT11M AFTER_END_OF_WINDOW"),
            "tidemark: started; it goes on by itself"),
        new Job(
            WindowedAggregationBatch.class,
            List.of("--input=gs://bucket/in/*"),
            false,
            "revenue-per-store/Aggregate/",
            Map.of("read", 6, "events", 6, "counted", 6, "panes", 2),
            List.of("ACCUMULATING PT10M AFTER_END_OF_WINDOW"),
            "revenue-per-store: 6 counted, 0 dead letters, 0 too late, 2 results"),
        new Job(
            ReconcileTooLate.class,
            List.of("--results=gs://bucket/run", "--tooLate=gs://bucket/run"),
            false,
            "Reconcile/",
            Map.of("tooLate", 3, "corrections", 2),
            List.of(),
            "revenue-per-store: 3 too-late events read, 2 windows corrected, 0 dead letters"),
        new Job(
            ReplayDeadLetters.class,
            List.of("--deadLetters=gs://bucket/run", "--maxAttempts=3", "--detached=true"),
            false,
            "Commit",
            Map.of(),
            List.of("ACCUMULATING PT10M AFTER_END_OF_WINDOW"),
            ": started; it goes on by itself"));
  }

  @BeforeEach
  void createInput() throws IOException {
    storage.createBucket("bucket");
    put("policy.yaml", Files.readAllBytes(TESTDATA.resolve("policies/revenue-per-store.yaml")));
    put("in/events.ndjson", Files.readAllBytes(TESTDATA.resolve("events/payments-1.ndjson")));
    put("run/results/r.ndjson", "{}\n".getBytes(UTF_8));
    put("run/too-late/l.ndjson", "{}\n".getBytes(UTF_8));
    put("run/dead-letters/d.ndjson", deadLetter());
    messages.createSubscription("payments", messages.createTopic("payments"), 10);
  }

  @AfterEach
  void close() {
    storage.close();
    messages.close();
    service.close();
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void theJobThatIsSubmittedIsTheGraphThatIsWrittenForTheLauncher(Job job) throws Exception {
    launch(job, "--templateLocation=" + GRAPH);
    assertThat(service.submitted(), is(empty()));
    JobRequest template = JobRequest.parse(storage.content(GRAPH));

    service.willBe("JOB_STATE_DONE");
    job.counters().forEach((counter, count) -> service.willCount(job.step(), counter, count));
    List<String> said = launch(job);
    assertThat(service.refused(), is(empty()));
    assertThat(service.submitted().size(), is(1));
    JobRequest submitted = service.submitted().get(0);

    assertThat(submitted.steps(), hasItem(startsWith(job.step())));
    assertThat(template.steps(), is(submitted.steps()));
    assertMode(submitted, job.streaming());
    assertOptions(submitted, job);
    assertThat(submitted.stagedFiles(), not(empty()));
    assertThat(submitted.stagedFiles(), everyItem(in(stored())));
    assertThat(ofPolicies(submitted.windowingStrategies(storage)), is(job.windows()));
    assertThat(said, hasItem(containsString(": job " + DataflowServer.JOB + ", https://")));
    assertThat(said, hasItem(endsWith(job.said())));
  }

  private static void assertMode(JobRequest submitted, boolean streaming) {
    String engine = "enable_streaming_engine";
    assertThat(submitted.type(), is(streaming ? "JOB_TYPE_STREAMING" : "JOB_TYPE_BATCH"));
    assertThat(submitted.experiments(), streaming ? hasItem(engine) : not(hasItem(engine)));
  }

  private static void assertOptions(JobRequest submitted, Job job) {
    Stream.concat(Stream.of(POLICY, OUTPUT), job.parameters().stream())
        .map(parameter -> parameter.substring(2).split("=", 2))
        .forEach(
            option -> assertThat(option[0], submitted.option(option[0]), is(List.of(option[1]))));
  }

  /** Beam's own windows discard what has fired; those of the policy accumulate. */
  private static List<String> ofPolicies(List<String> strategies) {
    return strategies.stream().filter(each -> each.startsWith("ACCUMULATING")).toList();
  }

  private List<String> stored() {
    return storage.objects("bucket").stream().map(name -> "gs://bucket/" + name).toList();
  }

  private void put(String name, byte[] content) {
    storage.put("gs://bucket/" + name, content);
  }

  private static byte[] deadLetter() {
    RawRecord raw =
        new RawRecord(
            "broken".getBytes(UTF_8),
            new Origin.FileLine("events.ndjson", 0, 1L),
            Instant.parse("2026-07-04T10:00:00Z"));
    DeadLetter deadLetter =
        new DeadLetter(Reason.NOT_JSON, "broken", null, raw, "revenue-per-store", "3", 1);
    return DeadLetterJson.line(deadLetter).getBytes(UTF_8);
  }

  /** Starts a main class in a process of its own, and gives what it said. */
  private List<String> launch(Job job, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                job.main().getName(),
                "--jobName=launched",
                "--tempLocation=gs://bucket/temp",
                "--stagingLocation=gs://bucket/staging",
                "--filesToStage=" + Files.writeString(directory.resolve("staged.jar"), "a jar"),
                POLICY,
                OUTPUT));
    command.addAll(job.parameters());
    command.addAll(List.of(more));
    Stream.of(service.arguments(), storage.arguments(), messages.arguments())
        .flatMap(List::stream)
        .distinct()
        .forEach(command::add);
    Path log = directory.resolve("log");
    Process launcher =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    int exitCode = launcher.waitFor();
    assertThat(Files.readString(log), exitCode, is(0));
    return Files.readAllLines(log);
  }
}
