package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.kafka.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that {@code tidemark package} makes. Runs once the build has made it. */
class JobJarIT {
  private static final Path JAR = Path.of(System.getProperty("tidemark.job.jar"));
  private static final Path TESTDATA = Path.of(System.getProperty("tidemark.root"), "testdata");

  @TempDir private Path directory;

  @Test
  void flinkRunTakesItAndWaits() throws Exception {
    try (FlinkStandalone cluster = FlinkStandalone.start(directory)) {
      cluster.addTaskManager();
      assertThat(run(cluster), containsString("revenue-per-store: 2,970 counted, 30 dead"));
    }
    assertThat(Files.isDirectory(results()), is(true));
  }

  @Test
  void orDoesNotWait() throws Exception {
    try (FlinkStandalone cluster = FlinkStandalone.start(directory)) {
      cluster.addTaskManager();
      assertThat(run(cluster, "--detached"), containsString("tidemark: started"));
      Await.until(() -> Files.isDirectory(results()), is(true));
    }
  }

  private String run(FlinkStandalone cluster, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("run", "--parallelism=2"));
    command.addAll(List.of(options));
    command.add(JAR.toString());
    command.addAll(
        List.of(
            "run",
            "--runner=FlinkRunner",
            "--policy=" + TESTDATA.resolve("policies/revenue-per-store.yaml"),
            "--input=" + TESTDATA.resolve("events/payments-1.ndjson"),
            "--output=" + directory.resolve("out")));
    return cluster.flink(command.toArray(String[]::new));
  }

  private Path results() {
    return directory.resolve("out").resolve("results");
  }
}
