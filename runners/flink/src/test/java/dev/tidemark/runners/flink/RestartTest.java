package dev.tidemark.runners.flink;

import dev.tidemark.pipelines.kafka.Visits;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
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
      Visits visits = Visits.of(broker, directory, random.nextLong());
      String savepoint = "";
      for (int round = 0; round < KILLS; round++) {
        Checkpoints checkpoints = new Checkpoints(directory.resolve("round-" + round));
        visits.send();
        run = start(visits, checkpoints, savepoint);
        visits.send();
        checkpoints.awaitMore(2 + random.nextInt(3));
        visits.send();
        run.destroyForcibly().waitFor();
        savepoint = "--savepointPath=" + checkpoints.last();
      }
      visits.sendEnd();
      run = start(visits, new Checkpoints(directory.resolve("last")), savepoint);
      visits.awaitExact();
    }
  }

  private static Process start(Visits visits, Checkpoints checkpoints, String savepoint)
      throws IOException {
    List<String> options = new ArrayList<>(checkpoints.options());
    options.addAll(List.of("--runner=FlinkRunner", "--parallelism=1"));
    if (!savepoint.isEmpty()) {
      options.add(savepoint);
    }
    return visits.command(options).redirectOutput(Redirect.DISCARD).start();
  }
}
