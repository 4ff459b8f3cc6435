package dev.tidemark.runners.flink;

import dev.tidemark.pipelines.kafka.Visits;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatStandsIsExactHoweverOftenTheRunWasKilled(boolean soon) throws Exception {
    try (KafkaBroker broker = KafkaBroker.start()) {
      Visits visits =
          soon
              ? Visits.soon(broker, directory, random.nextLong())
              : Visits.of(broker, directory, random.nextLong());
      visits.send();
      Checkpoints checkpoints = checkpoints(0);
      run = start(visits, checkpoints, "--startFrom=earliest");
      visits.growTopic(); // waits, so each partition has a place to go on from
      for (int round = 1; round <= KILLS; round++) {
        visits.send();
        checkpoints.awaitMore(2 + random.nextInt(3));
        visits.send();
        run.destroyForcibly().waitFor();
        // One that did not go on from the checkpoint would miss what came before.
        String savepoint = "--savepointPath=" + checkpoints.last();
        checkpoints = checkpoints(round);
        run = start(visits, checkpoints, savepoint, "--startFrom=latest");
      }
      visits.sendEnd();
      visits.awaitExact();
    }
  }

  @Test
  void whatIsTooLateStaysTooLateRightAfterARestart() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start()) {
      Visits visits = Visits.of(broker, directory, random.nextLong());
      visits.send();
      visits.send();
      run = start(visits, checkpoints(0));
      visits.awaitFinal();
      checkpoints(0).awaitMore(2); // the second began after the final results
      run.destroyForcibly().waitFor();
      visits.sendTooLate();
      run = start(visits, checkpoints(1), "--savepointPath=" + checkpoints(0).last());
      visits.awaitTooLate();
      visits.sendEnd();
      visits.awaitExact();
    }
  }

  private Checkpoints checkpoints(int round) {
    return new Checkpoints(directory.resolve("round-" + round));
  }

  private static Process start(Visits visits, Checkpoints checkpoints, String... more)
      throws IOException {
    List<String> options = new ArrayList<>(checkpoints.options());
    options.addAll(List.of("--runner=FlinkRunner", "--parallelism=1", "--output=out"));
    options.addAll(List.of(more));
    return visits
        .command(options)
        .redirectOutput(Path.of(checkpoints.storage() + ".log").toFile())
        .start();
  }
}
