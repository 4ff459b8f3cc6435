package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import com.sun.net.httpserver.HttpServer;
import dev.tidemark.pipelines.Command;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flink cannot do, and clusters that are not there or not of the kind, are one line. */
class FlinkUsageTest {
  private static final Path TESTDATA = Path.of(System.getProperty("tidemark.root"), "testdata");

  @TempDir private Path directory;

  @Test
  void aClusterThatDoesNotAnswer() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertRefused(
        "--flinkMaster=127.0.0.1:%d: no Flink JobManager answers there; allowed: HOST:PORT of its"
                .formatted(port)
            + " REST address",
        "--flinkMaster=127.0.0.1:" + port);
  }

  @Test
  void aClusterOfAnotherVersion() throws IOException {
    byte[] config = "{\"flink-version\":\"1.18.1\"}".getBytes(StandardCharsets.UTF_8);
    HttpServer cluster =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    cluster.createContext(
        "/config",
        exchange -> {
          exchange.sendResponseHeaders(200, config.length);
          exchange.getResponseBody().write(config);
          exchange.close();
        });
    cluster.start();
    String master = "127.0.0.1:" + cluster.getAddress().getPort();
    try {
      assertRefused(
          "--flinkMaster=" + master + ": the cluster is Flink 1.18.1; allowed: Flink 1.19",
          "--flinkMaster=" + master);
    } finally {
      cluster.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--stateBackend=rocksdb", "--stateBackendStoragePath=file:///tmp"})
  void halfOfWhatAStateBackendNeeds(String option) {
    assertRefused(
        "--stateBackend and --stateBackendStoragePath, the directory of the checkpoints, go"
            + " together; give both or none",
        option);
  }

  @Test
  void anAlarmThatCouldOnlyRingAtTheEnd() {
    assertRefused(
        "--maxDeadLetterRatio: FlinkRunner tells its counters at the end only, too late to stop",
        "--maxDeadLetterRatio=0.5");
  }

  @Test
  void aJobInThisProcessThatIsToOutliveIt() {
    assertRefused(
        "--detached: FlinkRunner runs in this process and ends with it; allowed where a cluster"
            + " runs it",
        "--detached");
  }

  @Test
  void beamsExactlyOnceSinkWhichAKillCanKeepFromStartingAgain() {
    assertRefused(
        "--exactlyOnceGroup=job: FlinkRunner cannot do that, DataflowRunner can",
        "--input=" + TESTDATA.resolve("events/payments-1.ndjson"),
        "--bootstrapServers=127.0.0.1:9",
        "--outputTopic=results",
        "--exactlyOnceGroup=job");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nowhere", "empty", "other"})
  void aSavepointThatIsNotThereOrIsNone(String name) throws IOException {
    Files.createDirectory(directory.resolve("empty"));
    Files.createDirectory(directory.resolve("other"));
    Files.writeString(directory.resolve("other").resolve("_metadata"), "not of Flink");
    String path = directory.resolve(name).toString();
    assertRefused(
        "--savepointPath="
            + path
            + ": no checkpoint or savepoint can be read there; allowed: its directory, which has a"
            + " file _metadata",
        "--savepointPath=" + path,
        "--input=" + TESTDATA.resolve("events/payments-1.ndjson"),
        "--output=" + directory.resolve("out"));
  }

  private static void assertRefused(String message, String... options) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "--runner=FlinkRunner",
                "--policy=" + TESTDATA.resolve("policies/revenue-per-store.yaml")));
    args.addAll(List.of(options));
    Command.Outcome outcome = Command.runHere(args.toArray(String[]::new));
    assertThat(outcome.errLines(), is(List.of("tidemark: " + message)));
    assertThat(outcome.err(), outcome.exitCode(), is(2));
  }
}
