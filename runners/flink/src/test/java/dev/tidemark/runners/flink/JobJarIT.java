package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that {@code tidemark package} makes. Runs once the build has made it. */
class JobJarIT {
  private static final Path JAR = Path.of(System.getProperty("tidemark.job.jar"));
  private static final Path TESTDATA = Path.of(System.getProperty("tidemark.root"), "testdata");

  @TempDir private Path directory;

  @Test
  void flinkRunTakesIt() throws Exception {
    Path output = directory.resolve("out");
    try (FlinkStandalone cluster = FlinkStandalone.start(directory)) {
      cluster.addTaskManager();
      String said =
          cluster.flink(
              "run",
              "--parallelism=2",
              JAR.toString(),
              "run",
              "--runner=FlinkRunner",
              "--policy=" + TESTDATA.resolve("policies/revenue-per-store.yaml"),
              "--input=" + TESTDATA.resolve("events/payments-1.ndjson"),
              "--output=" + output);
      assertThat(said, containsString("revenue-per-store: 2,970 counted, 30 dead"));
    }
    assertThat(Files.isDirectory(output.resolve("results")), is(true));
  }
}
