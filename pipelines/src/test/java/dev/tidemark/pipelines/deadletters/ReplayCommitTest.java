package dev.tidemark.pipelines.deadletters;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.files.OutputDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a replay ends, however often and by however many it is ended. */
class ReplayCommitTest {
  private static final String COMMITTED = "replays/r/committed.json";
  private static final String DONE = "replays/r/done.json";

  @TempDir private Path directory = Path.of("");
  private ReplayCommit commit;

  @BeforeEach
  void stage() throws Exception {
    commit = ReplayCommit.next(new OutputDirectory(directory.toString()), "r");
    stage(commit, "a");
  }

  @Test
  void theFilesOfTheAttemptMoveToTheirPlaces() throws Exception {
    assertThat(commit.isCommitted(), is(false));
    commit.commit();
    assertThat(commit.isCommitted(), is(true));
    assertThat(commit.isOwn(), is(true));
    assertThat(files(), contains(COMMITTED, DONE, "too-late/a.ndjson"));
  }

  @Test
  void anotherAttemptThatWasFirstIsTheOneThatCounts() throws Exception {
    ReplayCommit other = ReplayCommit.next(new OutputDirectory(directory.toString()), "r");
    stage(other, "b");
    commit.commit();
    other.commit();
    assertThat(other.isCommitted(), is(true));
    assertThat(other.isOwn(), is(false));
    assertThat(files(), contains(COMMITTED, DONE, "too-late/a.ndjson"));
  }

  @Test
  void oneThatWasInterruptedGoesOn() throws Exception {
    commit.commit();
    Files.delete(directory.resolve(DONE));
    stage(commit, "b"); // as if it had not been moved yet
    ReplayCommit.next(new OutputDirectory(directory.toString()), "r").commit();
    assertThat(
        files(), containsInAnyOrder(COMMITTED, DONE, "too-late/a.ndjson", "too-late/b.ndjson"));
  }

  @Test
  void aPipelineThatIsStartedASecondTimeAddsNothing() throws Exception {
    commit.commit();
    stage(commit, "b");
    commit.commit();
    assertThat(files(), contains(COMMITTED, DONE, "too-late/a.ndjson"));
  }

  @Test
  void nothingIsCommittedWhereDeadLettersAreMissing() throws Exception {
    assertThrows(
        IllegalStateException.class, () -> new ReplayPipeline.CommitFn(commit).process(1L));
    assertThat(commit.isCommitted(), is(false));
    assertThat(files().stream().filter(name -> !name.startsWith(".")).toList(), is(empty()));
  }

  private static void stage(ReplayCommit commit, String name) throws Exception {
    Path lane = Path.of(commit.staging().lane(OutputDirectory.TOO_LATE));
    Files.createDirectories(lane);
    Files.writeString(lane.resolve(name + ".ndjson"), name);
  }

  private List<String> files() throws Exception {
    return Command.files(directory).stream().map(Path::toString).toList();
  }
}
