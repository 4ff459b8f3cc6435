package dev.tidemark.pipelines.kafka;

import dev.tidemark.testkit.kafka.KafkaBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the runner, a run over a topic puts each of its records where it belongs. */
public abstract class TopicToTopicsContract {
  private final List<String> runner;
  private @Nullable Process run;

  @TempDir private Path directory;

  /**
   * @param runner the options that choose the runner
   */
  protected TopicToTopicsContract(String... runner) {
    this.runner = List.of(runner);
  }

  @AfterEach
  void stop() {
    if (run != null) {
      run.destroyForcibly();
    }
  }

  @Test
  void everyRecordIsCountedTooLateOrADeadLetterAndEveryFiringIsInTheTrail() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start()) {
      Visits visits = Visits.of(broker, directory, new Random().nextLong());
      visits.send();
      visits.send();
      run = visits.command(runner).redirectOutput(directory.resolve("run.log").toFile()).start();
      visits.awaitFinal();
      visits.sendTooLate();
      visits.send();
      visits.sendEnd();
      visits.awaitExact();
      visits.assertTrailsComplete();
    }
  }
}
