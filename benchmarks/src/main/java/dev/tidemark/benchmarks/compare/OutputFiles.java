package dev.tidemark.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What an engine has written. */
final class OutputFiles {

  private OutputFiles() {}

  /** The lines of all files below a directory but the engine's own, as {@code _SUCCESS}. */
  static List<String> lines(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path file : paths.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (!name.startsWith(".") && !name.startsWith("_")) {
          lines.addAll(Files.readAllLines(file));
        }
      }
    }
    return lines;
  }
}
