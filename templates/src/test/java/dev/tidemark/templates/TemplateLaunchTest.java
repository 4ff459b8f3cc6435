package dev.tidemark.templates;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesRegex;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.testkit.gcs.GcsServer;
import dev.tidemark.testkit.pubsub.PubsubServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main classes, started as the launcher of a flex template starts them. */
class TemplateLaunchTest {
  private static final Path ROOT = Path.of(System.getProperty("tidemark.root"));

  @TempDir private Path directory;

  @Test
  void theGraphOfARunOverAStreamIsWrittenWhereTheLauncherWantsIt() throws Exception {
    try (GcsServer storage = storage();
        PubsubServer messages = PubsubServer.start(1)) {
      messages.createSubscription("payments", messages.createTopic("payments"), 10);
      Stream<String> parameters =
          Stream.concat(
              messages.arguments().stream().filter(each -> !storage.arguments().contains(each)),
              Stream.of(
                  "--subscription=projects/" + PubsubServer.PROJECT + "/subscriptions/payments"));
      List<String> names =
          launched(storage, WindowedAggregation.class, parameters.toArray(String[]::new));
      assertThat(names, hasItem(startsWith("revenue-per-store/Aggregate/")));
    }
  }

  @Test
  void theGraphOfARunOverFilesIsWrittenWhereTheLauncherWantsIt() throws Exception {
    try (GcsServer storage = storage()) {
      put(storage, "in/events.ndjson", ROOT.resolve("testdata/events/payments-1.ndjson"));
      List<String> names =
          launched(storage, WindowedAggregationBatch.class, "--input=gs://bucket/in/*");
      assertThat(names, hasItem(startsWith("revenue-per-store/Aggregate/")));
    }
  }

  @Test
  void theGraphOfReconcilingIsWrittenWhereTheLauncherWantsIt() throws Exception {
    try (GcsServer storage = storage()) {
      storage.put("gs://bucket/run/results/r.ndjson", "{}\n".getBytes(UTF_8));
      storage.put("gs://bucket/run/too-late/l.ndjson", "{}\n".getBytes(UTF_8));
      List<String> names =
          launched(
              storage,
              ReconcileTooLate.class,
              "--results=gs://bucket/run",
              "--tooLate=gs://bucket/run");
      assertThat(names, hasItem(startsWith("Reconcile/")));
    }
  }

  @Test
  void aReplayClaimsItsFilesWhenItIsLaunchedAndCommitsAsItsLastStep() throws Exception {
    try (GcsServer storage = storage()) {
      storage.put("gs://bucket/run/dead-letters/d.ndjson", deadLetter());
      List<String> names = replay(storage);
      assertThat(names, hasItem("Commit"));
      assertThat(
          storage.objects("bucket"),
          hasItems(
              is("run/dead-letters/d.ndjson.revenue-per-store.claim"),
              matchesRegex("out/replays/[^/]*/plan.json")));
      assertThat(storage.objects("bucket"), not(hasItem(containsString("committed.json"))));

      storage.put("gs://bucket/run/dead-letters/later.ndjson", deadLetter());
      replay(storage);
      assertThat(
          "the other file has to wait until what was begun is done",
          storage.objects("bucket"),
          not(hasItem(containsString("later.ndjson.revenue-per-store.claim"))));
    }
  }

  private List<String> replay(GcsServer storage) throws Exception {
    return launched(storage, ReplayDeadLetters.class, "--deadLetters=gs://bucket/run");
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

  private static GcsServer storage() throws Exception {
    GcsServer storage = GcsServer.start();
    storage.createBucket("bucket");
    put(storage, "policy.yaml", ROOT.resolve("testdata/policies/revenue-per-store.yaml"));
    return storage;
  }

  private static void put(GcsServer storage, String name, Path file) throws Exception {
    storage.put("gs://bucket/" + name, Files.readAllBytes(file));
  }

  /** The steps of the graph that a main class leaves, in a process of its own. */
  private List<String> launched(GcsServer storage, Class<?> main, String... parameters)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "--runner=DataflowRunner",
                "--region=europe-west1",
                "--jobName=launched",
                "--tempLocation=gs://bucket/temp",
                "--stagingLocation=gs://bucket/staging",
                "--templateLocation=gs://bucket/graph.json",
                "--filesToStage=" + Files.writeString(directory.resolve("staged.jar"), "a jar"),
                "--policy=gs://bucket/policy.yaml",
                "--output=gs://bucket/out"));
    command.addAll(List.of(parameters));
    command.addAll(storage.arguments());
    Path log = directory.resolve("log");
    Process launcher =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    int exitCode = launcher.waitFor();
    assertThat(Files.readString(log), exitCode, is(0));
    JsonNode graph = new ObjectMapper().readTree(storage.content("gs://bucket/graph.json"));
    return StreamSupport.stream(graph.at("/steps").spliterator(), false)
        .map(step -> step.at("/properties/user_name/value").asText())
        .toList();
  }
}
