package dev.tidemark.runners.dataflow;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.Command;
import dev.tidemark.testkit.gcs.GcsServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a job lacks, or should not show, is one line before anything is staged. */
class DataflowUsageTest {
  private static final Path TESTDATA = Path.of(System.getProperty("tidemark.root"), "testdata");
  private static final String TEMP = "--gcpTempLocation=gs://bucket/temp";
  private static final String REGION = "--region=europe-west1";

  private final GcsServer storage = GcsServer.start();

  @BeforeEach
  void createBucket() {
    storage.createBucket("bucket");
  }

  @AfterEach
  void close() {
    storage.close();
  }

  @Test
  void nothingSaysWhereTheJobRuns() {
    assertRefused(
        List.of(
            "missing option --project, the Google Cloud project that runs and pays the job",
            "missing option --region, where the job runs; allowed: europe-west1 say",
            "missing option --gcpTempLocation, where the job keeps its files; allowed:"
                + " gs://BUCKET/DIRECTORY"),
        "--project=",
        "--region=");
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of(
            "missing option --gcpTempLocation, where the job keeps its files; allowed:"
                + " gs://BUCKET/DIRECTORY",
            List.of(REGION)),
        Arguments.of(
            "--gcpTempLocation=/tmp/x: Expected a valid 'gs://' path but was given '/tmp/x'",
            List.of(REGION, "--gcpTempLocation=/tmp/x")),
        Arguments.of(
            "--tempLocation=gs://other/temp: Output path does not exist or is not writeable:"
                + " gs://other/temp",
            List.of(REGION, "--tempLocation=gs://other/temp")),
        Arguments.of(
            "--consumerConfig: sasl.jaas.config would be shown among the job's options; put it"
                + " into a properties file, and give that",
            List.of(REGION, TEMP, "--consumerConfig=group.id=g,sasl.jaas.config=secret")),
        Arguments.of(
            "--producerConfig: ssl.key.password would be shown among the job's options; put it"
                + " into a properties file, and give that",
            List.of(REGION, TEMP, "--producerConfig=ssl.key.password=secret")),
        Arguments.of(
            "--overwrite: the job that --update replaces still writes there; leave it out",
            List.of(REGION, TEMP, "--update", "--overwrite")));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void isRefused(String message, List<String> options) {
    List<String> all = new ArrayList<>(options);
    all.addAll(storage.arguments());
    assertRefused(List.of(message), all.toArray(String[]::new));
    assertThat(storage.objects("bucket"), is(List.of()));
  }

  private static void assertRefused(List<String> messages, String... options) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "--runner=DataflowRunner",
                "--policy=" + TESTDATA.resolve("policies/revenue-per-store.yaml"),
                "--input=" + TESTDATA.resolve("events/payments-1.ndjson"),
                "--output=gs://bucket/out"));
    args.addAll(List.of(options));
    Command.Outcome outcome = Command.runHere(args.toArray(String[]::new));
    assertThat(
        outcome.errLines(), is(messages.stream().map(message -> "tidemark: " + message).toList()));
    assertThat(outcome.err(), outcome.exitCode(), is(2));
  }
}
