package dev.tidemark.runners.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.kafka.Visits;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job on a Flink cluster, from topic to topics, around which all that can fails. */
class ChaosTest {
  private static final int ROUNDS_OF_EACH = 2;

  /** As many take longer than a heartbeat's timeout, so that no restart is still to come. */
  private static final int SETTLED = 20;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final List<String> course = new ArrayList<>();
  private int starts;

  @TempDir private Path directory;

  private enum Disturbance {
    TASK_MANAGER_KILLED,
    TASK_MANAGER_CUT_OFF,
    JOB_MANAGER_KILLED,
    JOB_MANAGER_CUT_OFF,
    BROKER_RESTARTED
  }

  @Test
  void everyRecordIsWhereItBelongsWhateverFailsOnTheWay() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start();
        FlinkStandalone cluster = FlinkStandalone.start(directory)) {
      cluster.addTaskManager();
      cluster.addTaskManager();
      disturb(broker, cluster);
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed %d, after %s".formatted(seed, course), e);
    }
  }

  private void disturb(KafkaBroker broker, FlinkStandalone cluster) throws Exception {
    Visits visits = Visits.of(broker, directory, seed);
    visits.send();
    Checkpoints checkpoints = start(visits, cluster);
    for (Disturbance next : disturbances()) {
      course.add(next.toString());
      visits.send();
      checkpoints.awaitMore(1 + random.nextInt(2)); // at a moment of chance in its work
      switch (next) {
        case TASK_MANAGER_KILLED -> cluster.replaceTaskManager(random);
        case TASK_MANAGER_CUT_OFF -> cluster.pauseTaskManager(random);
        case JOB_MANAGER_CUT_OFF -> cluster.pauseJobManager();
        case JOB_MANAGER_KILLED -> {
          cluster.restartJobManager();
          checkpoints = start(visits, cluster, "--savepointPath=" + checkpoints.last());
        }
        case BROKER_RESTARTED -> {
          broker.stop();
          broker.restart();
        }
      }
      visits.awaitFinal();
      checkpoints.awaitMore(SETTLED); // right after a restart, not all slots know what is too late
      visits.sendTooLate();
      visits.awaitTooLate();
      checkpoints.awaitMore(2);
    }
    visits.sendEnd();
    visits.awaitExact();
    visits.assertFinalsRepeatThemselves();
  }

  private List<Disturbance> disturbances() {
    List<Disturbance> all = new ArrayList<>();
    for (int i = 0; i < ROUNDS_OF_EACH; i++) {
      all.addAll(List.of(Disturbance.values()));
    }
    Collections.shuffle(all, random);
    return all;
  }

  /** Gives the cluster the job, and returns where its checkpoints are. */
  private Checkpoints start(Visits visits, FlinkStandalone cluster, String... more)
      throws Exception {
    Checkpoints checkpoints = new Checkpoints(directory.resolve("start-" + starts));
    List<String> options = new ArrayList<>(checkpoints.options());
    options.addAll(
        List.of(
            "--runner=FlinkRunner",
            "--flinkMaster=" + cluster.master(),
            "--parallelism=2",
            "--detached"));
    options.addAll(List.of(more));
    Path log = directory.resolve("start-" + starts + ".log");
    starts++;
    int exitCode = visits.command(options).redirectOutput(log.toFile()).start().waitFor();
    assertThat(Files.readString(log), exitCode, is(0));
    checkpoints.awaitMore(1);
    return checkpoints;
  }
}
