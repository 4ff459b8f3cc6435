package dev.tidemark.runners.flink;

import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.kafka.Await;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on Flink from topic to topics that is killed and started again from its checkpoint. */
class RestartTest {
  private static final int KILLS = 4;

  private final Random random = new Random();
  private @Nullable Process run;

  @TempDir private Path directory;

  @AfterEach
  void stop() {
    if (run != null) {
      run.destroyForcibly();
    }
  }

  @Test
  void whatStandsIsExactHoweverOftenTheRunWasKilled() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start()) {
      Visits visits = Visits.of(broker, directory);
      visits.send();
      run = start(visits, checkpoints(0), "--startFrom=earliest");
      visits.awaitSeen(); // so that each partition has a place to go on from
      visits.growTopic();
      for (int round = 0; round < KILLS; round++) {
        Checkpoints checkpoints = checkpoints(round);
        int seen = checkpoints.last() + 1 + random.nextInt(3);
        visits.send();
        Await.until(checkpoints::last, is(greaterThan(seen)));
        visits.send();
        run.destroyForcibly().waitFor();
        // One that did not go on from the checkpoint would miss what came before.
        run =
            start(
                visits, checkpoints(round + 1), checkpoints.savepointPath(), "--startFrom=latest");
      }
      visits.sendEnd();
      visits.awaitExact();
    }
  }

  private Checkpoints checkpoints(int round) {
    return new Checkpoints(directory.resolve("round-" + round));
  }

  private Process start(Visits visits, Checkpoints checkpoints, String... more) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--checkpointingInterval=300",
                "--stateBackend=filesystem",
                "--stateBackendStoragePath=" + checkpoints.storage().toUri()));
    options.addAll(List.of(more));
    return visits
        .command(options)
        .redirectOutput(Path.of(checkpoints.storage() + ".log").toFile())
        .start();
  }
}
