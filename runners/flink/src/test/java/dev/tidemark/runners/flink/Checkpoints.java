package dev.tidemark.runners.flink;

import static org.hamcrest.Matchers.greaterThanOrEqualTo;

import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.kafka.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The checkpoints of one start of a job.
 *
 * @param storage a directory that no other start has
 */
record Checkpoints(Path storage) {

  /** What a run is told to make them. */
  List<String> options() {
    return List.of(
        "--checkpointingInterval=300",
        "--stateBackend=filesystem",
        "--stateBackendStoragePath=" + storage.toUri());
  }

  /** Waits until as many more are complete. */
  void awaitMore(int more) throws Exception {
    int enough = lastNumber() + more;
    Await.until(this::lastNumber, greaterThanOrEqualTo(enough));
  }

  /** The last complete one, for {@code --savepointPath}. */
  Path last() throws IOException {
    return complete().lastEntry().getValue();
  }

  /** 0 if there is none. */
  private int lastNumber() throws IOException {
    NavigableMap<Integer, Path> complete = complete();
    return complete.isEmpty() ? 0 : complete.lastKey();
  }

  private NavigableMap<Integer, Path> complete() throws IOException {
    NavigableMap<Integer, Path> complete = new TreeMap<>();
    if (Files.exists(storage)) {
      for (Path file : Command.files(storage)) {
        if (file.endsWith("_metadata")) {
          Path checkpoint = storage.resolve(file).getParent();
          String name = checkpoint.getFileName().toString();
          complete.put(Integer.parseInt(name.substring("chk-".length())), checkpoint);
        }
      }
    }
    return complete;
  }
}
