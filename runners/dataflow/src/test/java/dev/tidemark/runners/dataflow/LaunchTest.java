package dev.tidemark.runners.dataflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.in;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesRegex;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.pipelines.Command.Outcome;
import dev.tidemark.testkit.dataflow.DataflowServer;
import dev.tidemark.testkit.dataflow.JobRequest;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command submits to the service, and what it makes of what the service says. */
class LaunchTest {
  private static final Path TESTDATA = Path.of(System.getProperty("tidemark.root"), "testdata");
  private static final KafkaBroker BROKER = KafkaBroker.start();
  private static final String FROM_FILES = "--input=gs://bucket/in/*";

  @TempDir private Path directory;
  private Launch launch;

  @BeforeAll
  static void createTopics() {
    BROKER.createTopic("payments", 2);
    BROKER.createTopic("results", 2);
    BROKER.createTopic("latest", 2);
  }

  @AfterAll
  static void stopBroker() {
    BROKER.close();
  }

  @BeforeEach
  void createObjects() throws IOException {
    launch = new Launch(directory);
    launch.put("in/events.ndjson", Files.readString(TESTDATA.resolve("events/payments-1.ndjson")));
    launch.put(
        "policy.yaml", Files.readString(TESTDATA.resolve("policies/revenue-per-store.yaml")));
  }

  @AfterEach
  void close() {
    launch.close();
  }

  @Test
  void topicsAreAStreamOnStreamingEngine() throws Exception {
    Outcome outcome = run(fromTopics("--output=gs://bucket/out", "--detached"));

    assertThat(
        outcome.errLines(),
        contains(
            startsWith(
                "tidemark: job " + DataflowServer.JOB + ", https://console.cloud.google.com/"),
            is("tidemark: started; it goes on by itself")));
    assertThat(outcome.exitCode(), is(0));
    JobRequest job = launch.submitted();
    assertThat(job.type(), is("JOB_TYPE_STREAMING"));
    assertThat(job.experiments(), hasItem("enable_streaming_engine"));
    assertThat(
        job.steps(),
        hasItems(startsWith("Read topics/Read topics/"), startsWith("revenue-per-store/Parse/")));
  }

  @Test
  void filesAreABatchAndTheServicesCountersAreTheSummary() throws Exception {
    launch.service.willBe("JOB_STATE_RUNNING", "JOB_STATE_DONE");
    launch.service.willCount("revenue-per-store/", "read", 7);
    launch.service.willCount("revenue-per-store/", "events", 6);
    launch.service.willCount("revenue-per-store/", "counted", 6);
    launch.service.willCount("revenue-per-store/", "deadLetters", 1);
    launch.service.willCount("revenue-per-store/", "deadLetters.NOT_JSON", 1);
    launch.service.willCount("revenue-per-store/", "panes", 2);
    launch.service.willCount("revenue-per-store/", "notWritten", 3);

    Outcome outcome = run(FROM_FILES, "--output=gs://bucket/out");

    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.errLines(),
        hasItem(
            "revenue-per-store: 6 counted, 1 dead letters (NOT_JSON 1), 0 too late, 2 results (3"
                + " not written)"));
    JobRequest job = launch.submitted();
    assertThat(job.type(), is("JOB_TYPE_BATCH"));
    assertThat(job.experiments(), not(hasItem("enable_streaming_engine")));
  }

  @Test
  void aJobThatFailsIsOneThatTheCommandSaysFailed() throws Exception {
    launch.service.willBe("JOB_STATE_FAILED");
    Outcome outcome = run(FROM_FILES, "--output=gs://bucket/out");
    assertThat(outcome.err(), containsString("tidemark: failed: "));
    assertThat(outcome.exitCode(), is(1));
  }

  @Test
  void allThatTheJobNeedsIsStaged() throws Exception {
    run(FROM_FILES, "--output=gs://bucket/out", "--detached");
    List<String> staged =
        launch.submitted().stagedFiles().stream()
            .map(location -> location.replace("gs://bucket/", ""))
            .toList();
    assertThat(staged, hasItem(containsString("staged")));
    assertThat(staged, everyItem(in(launch.storage.objects("bucket"))));
  }

  @Test
  void thePolicyIsInTheWindowsOfThePipeline() throws Exception {
    run(fromTopics("--output=gs://bucket/out", "--detached"));
    assertThat(
        launch.submitted().windowingStrategies(launch.storage),
        // the sliding or fixed window, and the margin that the lateness gate leaves it
        hasItems(
            "ACCUMULATING PT10M AFTER_END_OF_WINDOW", "ACCUMULATING PT11M AFTER_END_OF_WINDOW"));
  }

  @Test
  void securityIsBeamsOwnOptions() throws Exception {
    run(
        FROM_FILES,
        "--output=gs://bucket/out",
        "--detached",
        "--serviceAccount=worker@tidemark-test.iam.gserviceaccount.com",
        "--dataflowKmsKey=projects/p/locations/l/keyRings/r/cryptoKeys/k",
        "--usePublicIps=false",
        "--subnetwork=regions/europe-west1/subnetworks/private");
    JsonNode environment = launch.submitted().json().at("/environment");
    assertThat(
        environment.at("/serviceAccountEmail").asText(),
        is("worker@tidemark-test.iam.gserviceaccount.com"));
    assertThat(
        environment.at("/serviceKmsKeyName").asText(),
        is("projects/p/locations/l/keyRings/r/cryptoKeys/k"));
    JsonNode workers = environment.at("/workerPools/0");
    assertThat(workers.at("/ipConfiguration").asText(), is("WORKER_IP_PRIVATE"));
    assertThat(workers.at("/subnetwork").asText(), is("regions/europe-west1/subnetworks/private"));
  }

  @Test
  void credentialsOfKafkaAreNotShown() throws Exception {
    launch.put(
        "conf/kafka.properties",
        """
        security.protocol=SASL_PLAINTEXT
        sasl.mechanism=PLAIN
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
        username="%s" password="%s";
        """
            .formatted(KafkaBroker.USER, KafkaBroker.PASSWORD));
    Outcome outcome =
        run(
            "--bootstrapServers=" + BROKER.securedServers(),
            "--topic=payments",
            "--outputTopic=results",
            "--latestTopic=latest",
            "--output=gs://bucket/out",
            "--consumerConfig=gs://bucket/conf/kafka.properties",
            "--producerConfig=gs://bucket/conf/kafka.properties",
            "--detached");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    List<String> shown = new ArrayList<>();
    shown.add(launch.submitted().json().at("/environment/sdkPipelineOptions").toString());
    launch
        .submitted()
        .json()
        .findValues("display_data")
        .forEach(each -> shown.add(each.toString()));
    for (RunnerApi.PTransform step :
        launch.submitted().pipeline(launch.storage).getComponents().getTransformsMap().values()) {
      step.getDisplayDataList().forEach(each -> shown.add(each.getPayload().toStringUtf8()));
    }
    assertThat(shown, hasItem(containsString("max.request.size"))); // the sink shows the rest
    assertThat(shown, everyItem(not(containsString("PlainLoginModule"))));
    assertThat(shown, everyItem(not(containsString("sasl"))));
  }

  @Test
  void aTemplateIsWrittenAndNothingSubmitted() throws Exception {
    Outcome outcome =
        run(
            FROM_FILES,
            "--output=gs://bucket/out",
            "--templateLocation=gs://bucket/templates/graph.json");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(launch.service.submitted(), is(empty()));
    JobRequest template =
        JobRequest.parse(launch.storage.content("gs://bucket/templates/graph.json"));
    assertThat(template.steps(), hasItem(startsWith("revenue-per-store/")));
  }

  @Test
  void anUpdateGoesOnWithTheOutputOfTheJobThatItReplaces() throws Exception {
    launch.service.runs("live");
    launch.put("out/results/earlier.ndjson", "{}\n");
    Outcome outcome =
        run(fromTopics("--output=gs://bucket/out", "--detached", "--update", "--jobName=live"));
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(launch.submitted().json().at("/replaceJobId").asText(), is(DataflowServer.EARLIER));
    assertThat(launch.storage.objects("bucket"), hasItem("out/results/earlier.ndjson"));
  }

  @Test
  void aJobThatIsReplacedLeavesItsUnfinishedFilesToTheOther() throws Exception {
    launch.service.willBe("JOB_STATE_UPDATED");
    launch.service.runs("live");
    launch.put("out/.temp-beam/unfinished", "");
    Outcome outcome = run(fromTopics("--output=gs://bucket/out", "--update", "--jobName=live"));
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.errLines(), hasItem("tidemark: another job has taken over; it goes on by itself"));
    assertThat(launch.storage.objects("bucket"), hasItem("out/.temp-beam/unfinished"));
  }

  @Test
  void anUpdateWithAPolicyThatTheStateDoesNotBearIsRefused() throws Exception {
    launch.service.runs("live");
    run(fromTopics("--output=gs://bucket/out", "--detached", "--jobName=live"));
    String policy = Files.readString(TESTDATA.resolve("policies/revenue-per-store.yaml"));
    launch.put("policy.yaml", policy.replace("size: 5m", "size: 10m"));
    Outcome outcome =
        run(fromTopics("--output=gs://bucket/out", "--detached", "--update", "--jobName=live"));
    assertThat(
        outcome.errLines(),
        contains(
            startsWith(
                "tidemark: gs://bucket/policy.yaml:7: window: the job in"
                    + " europe-west1 named live has ")));
    assertThat(outcome.exitCode(), is(2));
    assertThat(launch.service.submitted().size(), is(1));
  }

  @Test
  void anUpdateOfAJobThatDoesNotRunIsRefused() throws Exception {
    Outcome outcome =
        run(fromTopics("--output=gs://bucket/out", "--detached", "--update", "--jobName=gone"));
    assertThat(
        outcome.errLines(),
        contains(
            "tidemark: --update: no job named gone runs in europe-west1; allowed: the --jobName of"
                + " one that does"));
    assertThat(outcome.exitCode(), is(2));
  }

  @Test
  void aReplayClaimsItsFilesAndIsFoundByItsJob() throws Exception {
    launch.put("run/dead-letters/d.ndjson", deadLetter());
    Outcome outcome = replay();
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        outcome.errLines(),
        contains(
            matchesRegex(".*: job " + DataflowServer.JOB + ", https://console.cloud.google.com/.*"),
            endsWith(": started; it goes on by itself")));
    assertThat("the last step commits", launch.submitted().steps(), hasItem("Commit"));
    assertThat(
        launch.storage.objects("bucket"),
        hasItems(
            is("run/dead-letters/d.ndjson.revenue-per-store.claim"),
            matchesRegex("out/replays/[^/]*/plan.json")));
    assertThat(launch.storage.objects("bucket"), not(hasItem(endsWith("committed.json"))));
  }

  @Test
  void aReplayThatIsNotDoneIsStartedBeforeAnother() throws Exception {
    launch.put("run/dead-letters/d.ndjson", deadLetter());
    replay();
    launch.put("run/dead-letters/later.ndjson", deadLetter());
    Outcome outcome = replay();
    assertThat(
        outcome.errLines(),
        hasItem("files that nobody has claimed are for another replay, once this one is done"));
    assertThat(
        launch.storage.objects("bucket"),
        not(hasItem("run/dead-letters/later.ndjson.revenue-per-store.claim")));
  }

  private Outcome replay() {
    return launch.command(
        "replay",
        "--deadLetters=gs://bucket/run",
        "--policy=gs://bucket/policy.yaml",
        "--output=gs://bucket/out",
        "--detached");
  }

  private static String deadLetter() {
    RawRecord raw =
        new RawRecord(
            "broken".getBytes(UTF_8),
            new Origin.FileLine("events.ndjson", 0, 1L),
            Instant.parse("2026-07-04T10:00:00Z"));
    return DeadLetterJson.line(
        new DeadLetter(Reason.NOT_JSON, "broken", null, raw, "revenue-per-store", "3", 1));
  }

  private static String[] fromTopics(String... more) {
    return Stream.concat(
            Stream.of("--bootstrapServers=" + BROKER.bootstrapServers(), "--topic=payments"),
            Stream.of(more))
        .toArray(String[]::new);
  }

  private Outcome run(String... options) {
    return launch.command(
        "run",
        Stream.concat(Stream.of("--policy=gs://bucket/policy.yaml"), Stream.of(options))
            .toArray(String[]::new));
  }
}
