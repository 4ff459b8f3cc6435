package dev.tidemark.benchmarks.plain;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads the clicks of a file, each parsed where it stands in a large buffer. */
final class Clicks {
  private static final int BUFFER = 1 << 20;

  private Clicks() {}

  /** Gives each click of a file, whose last line has an end too. */
  static void read(Path file, Job job, Consumer<Click> taker) throws IOException {
    ClickParser parser = ClickParser.of(job);
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      int kept = 0;
      for (int read = in.read(buffer); read > 0; read = in.read(buffer, kept, BUFFER - kept)) {
        int start = 0;
        int end = kept + read;
        for (int i = kept; i < end; i++) {
          if (buffer[i] == '\n') {
            taker.accept(parser.parse(buffer, start, i - start));
            start = i + 1;
          }
        }
        kept = end - start;
        System.arraycopy(buffer, start, buffer, 0, kept);
      }
    }
  }
}
