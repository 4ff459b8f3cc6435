package dev.tidemark.runners.flink;

import dev.tidemark.pipelines.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The complete checkpoints in the directory that {@code --stateBackendStoragePath} names. */
record Checkpoints(Path storage) {

  /** The number of the last one; 0 if there is none. */
  int last() throws IOException {
    return byNumber().keySet().stream().mapToInt(n -> n).max().orElse(0);
  }

  /** The option that starts a run from the last one. */
  String savepointPath() throws IOException {
    return "--savepointPath=" + byNumber().get(last());
  }

  private Map<Integer, Path> byNumber() throws IOException {
    Map<Integer, Path> checkpoints = new TreeMap<>();
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
