package dev.tidemark.pipelines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command as a user starts it: in a JVM of its own. */
final class Command {
  private Command() {}

  /** What a command left behind. */
  record Outcome(int exitCode, String out, String err) {

    List<String> errLines() {
      return err.lines().toList();
    }
  }

  static Outcome run(Path directory, String... args) throws IOException, InterruptedException {
    Path out = Files.createTempFile("tidemark", ".out");
    Path err = Files.createTempFile("tidemark", ".err");
    try {
      int exitCode =
          process(directory, args)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start()
              .waitFor();
      return new Outcome(exitCode, Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** To be started by the test, which wants to see it run. */
  static ProcessBuilder process(Path directory, String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TidemarkCommand.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).directory(directory.toFile());
  }
}
