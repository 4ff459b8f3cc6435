package dev.tidemark.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterJson;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.testkit.gcs.Fault;
import dev.tidemark.testkit.gcs.Faults;
import dev.tidemark.testkit.gcs.GcsServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replay command on {@code gs://}, where no lock tells of another. */
class ReplayOnCloudStorageTest {
  private static final Pattern KEY = Pattern.compile(".*\"k\":\"(k\\d+)\".*");
  private static final Pattern RAW = Pattern.compile(".*\"raw\":\"(broken\\d+)\".*");
  private static final int FILES = 8;

  private final GcsServer server = GcsServer.start();
  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void objects() {
    server.createBucket("bucket");
    put(
        "policy.yaml",
        """
        metric: m
        version: "2"
        timestamp: /t
        key: {k: /k}
        window: {fixed: {size: 1h}}
        aggregates: {n: count}
        """);
    for (int i = 0; i < FILES; i++) {
      put(
          "run/dead-letters/reason=BAD_KEY/dt=2026-07-04/hr=10/%d.ndjson".formatted(i),
          line("{\"k\":\"k%d\",\"t\":\"2026-07-04T09:00:00Z\"}".formatted(i)) + line("broken" + i));
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void twoAtTheSameTimeReplayEachRecordOnceThroughFaults() throws Exception {
    server.inject(
        Faults.of(1).withRate(0.2).withKinds(Fault.TRUNCATED_BODY).withCalls("GET", "/download"),
        Faults.of(2)
            .withRate(0.2)
            .withKinds(
                Fault.TOO_MANY_REQUESTS,
                Fault.INTERNAL_ERROR,
                Fault.UNAVAILABLE,
                Fault.CONNECTION_RESET,
                Fault.LOST_RESPONSE));
    List<Process> running = List.of(start(), start());
    for (Process process : running) {
      assertThat(process.waitFor(), is(0));
    }
    server.inject();
    assertReplayedOnce();
  }

  @Test
  void twoThatGoOnWithTheSameInterruptedReplayCommitItOnce() throws Exception {
    Process killed = start();
    while (server.objects("bucket").stream().noneMatch(name -> name.matches("out/\\..*too-late.*"))
        && killed.isAlive()) {
      Thread.onSpinWait();
    }
    killed.destroyForcibly().waitFor();
    List<Process> running = List.of(start(), start());
    for (Process process : running) {
      assertThat(process.waitFor(), is(0));
    }
    assertReplayedOnce();
  }

  private void assertReplayedOnce() {
    List<String> keys = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      keys.add("k" + i);
      broken.add("broken" + i);
    }
    assertThat(found("out/too-late/", KEY), containsInAnyOrder(keys.toArray()));
    assertThat(found("out/dead-letters/", RAW), containsInAnyOrder(broken.toArray()));
    assertThat(
        server.objects("bucket").stream().filter(name -> name.startsWith("out/.")).toList(),
        is(empty()));
  }

  private Process start() throws Exception {
    String[] args =
        Stream.concat(
                Stream.of(
                    "replay",
                    "--deadLetters=gs://bucket/run",
                    "--policy=gs://bucket/policy.yaml",
                    "--output=gs://bucket/out"),
                server.arguments().stream())
            .toArray(String[]::new);
    return Command.process(directory, args)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private List<String> found(String prefix, Pattern pattern) {
    return server.objects("bucket").stream()
        .filter(name -> name.startsWith(prefix))
        .flatMap(name -> new String(server.content("gs://bucket/" + name), UTF_8).lines())
        .map(line -> pattern.matcher(line).replaceFirst("$1"))
        .toList();
  }

  private static String line(String record) {
    RawRecord raw =
        new RawRecord(
            record.getBytes(UTF_8),
            new Origin.FileLine("events.ndjson", 0, 1L),
            Instant.parse("2026-07-04T10:00:00Z"));
    return DeadLetterJson.line(new DeadLetter(Reason.BAD_KEY, "as it was", null, raw, "m", "1", 1))
        + "\n";
  }

  private void put(String name, String content) {
    server.put("gs://bucket/" + name, content.getBytes(UTF_8));
  }
}
