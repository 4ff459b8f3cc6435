package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.pipelines.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is sent to a cluster. */
class ClusterTest {
  private static final Path TESTDATA = Path.of(System.getProperty("tidemark.root"), "testdata");

  @TempDir private Path directory;

  @Test
  void aRunOverFilesEndsWithItsResultsAndItsSummary() throws Exception {
    Path output = directory.resolve("out");
    try (FlinkStandalone cluster = FlinkStandalone.start(directory)) {
      cluster.addTaskManager();
      Command.Outcome outcome =
          Command.run(
              directory,
              "run",
              "--runner=FlinkRunner",
              "--flinkMaster=" + cluster.master(),
              "--policy=" + TESTDATA.resolve("policies/revenue-per-store.yaml"),
              "--input=" + TESTDATA.resolve("events/payments-1.ndjson"),
              "--output=" + output,
              "--parallelism=2");
      assertThat(outcome.err(), outcome.exitCode(), is(0));
      assertThat(
          outcome.errLines(), hasItem(startsWith("revenue-per-store: 2,970 counted, 30 dead")));
    }
    assertThat(Files.isDirectory(output.resolve("results")), is(true));
  }
}
