package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.pipelines.kafka.Await;
import dev.tidemark.pipelines.kafka.Visits;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on a Flink cluster, from topic to topics, that is stopped with a savepoint. */
class StopTest {
  private @Nullable Process run;

  @TempDir private Path directory;

  @AfterEach
  void stop() {
    if (run != null) {
      run.destroyForcibly();
    }
  }

  @Test
  void aStoppedRunEndsWellAndGoesOnFromItsSavepoint() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start();
        FlinkStandalone cluster = FlinkStandalone.start(directory)) {
      cluster.addTaskManager();
      Visits visits = Visits.of(broker, directory, new Random().nextLong());
      visits.send();
      String master = "--flinkMaster=" + cluster.master();
      Process stopped = start(visits, "stopped.log", master);
      Await.until(() -> broker.consumeAll("results"), is(not(empty())));
      visits.send();
      String savepoint = cluster.stopJob(directory);
      Await.until(stopped::isAlive, is(false));
      assertThat(log("stopped.log"), stopped.exitValue(), is(0));
      visits.send();
      visits.sendEnd();
      // One that did not go on from the savepoint would read nothing.
      start(visits, "restarted.log", master, "--savepointPath=" + savepoint, "--startFrom=latest");
      visits.awaitExact();
    }
  }

  private Process start(Visits visits, String log, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("--runner=FlinkRunner", "--parallelism=1"));
    all.addAll(List.of(options));
    Process started = visits.command(all).redirectOutput(directory.resolve(log).toFile()).start();
    run = started;
    return started;
  }

  private String log(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }
}
