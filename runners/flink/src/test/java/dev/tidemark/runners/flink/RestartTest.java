package dev.tidemark.runners.flink;

import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.kafka.Await;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
      String savepoint = "";
      for (int round = 0; round < KILLS; round++) {
        visits.send();
        run = start(visits, round, savepoint);
        int checkpoints = lastCheckpoint(round) + 1 + random.nextInt(3);
        visits.send();
        int killedAfter = round;
        Await.until(() -> lastCheckpoint(killedAfter), is(greaterThan(checkpoints)));
        visits.send();
        run.destroyForcibly().waitFor();
        savepoint = "--savepointPath=" + checkpoint(round);
      }
      visits.sendEnd();
      run = start(visits, KILLS, savepoint);
      visits.awaitExact();
    }
  }

  private Process start(Visits visits, int round, String savepoint) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--checkpointingInterval=300",
                "--stateBackend=filesystem",
                "--stateBackendStoragePath=" + directory.resolve("round-" + round).toUri()));
    if (!savepoint.isEmpty()) {
      options.add(savepoint);
    }
    return visits
        .command(options)
        .redirectOutput(directory.resolve("round-" + round + ".log").toFile())
        .start();
  }

  /** The number of the last complete checkpoint of a round; 0 if there is none. */
  private int lastCheckpoint(int round) throws IOException {
    return checkpoints(round).keySet().stream().mapToInt(n -> n).max().orElse(0);
  }

  private Path checkpoint(int round) throws IOException {
    return checkpoints(round).get(lastCheckpoint(round));
  }

  private Map<Integer, Path> checkpoints(int round) throws IOException {
    Path storage = directory.resolve("round-" + round);
    Map<Integer, Path> checkpoints = new HashMap<>();
    if (Files.exists(storage)) {
      for (Path file : Command.files(storage)) {
        if (file.endsWith("_metadata")) {
          String name = file.getParent().getFileName().toString();
          checkpoints.put(
              Integer.parseInt(name.substring("chk-".length())), storage.resolve(file.getParent()));
        }
      }
    }
    return checkpoints;
  }
}
