package dev.tidemark.pipelines;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The command as a user starts it: in a JVM of its own. */
public final class Command {
  private Command() {}

  /** What a command left behind. */
  public record Outcome(int exitCode, String out, String err) {

    /** What it said, line by line. */
    public List<String> errLines() {
      return err.lines().toList();
    }
  }

  /** Runs it to its end. */
  public static Outcome run(Path directory, String... args)
      throws IOException, InterruptedException {
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

  /** Runs it to its end in this JVM, which is faster; not for what a process does of its own. */
  public static Outcome runHere(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        TidemarkCommand.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  /** To be started by the test, which wants to see it run. */
  public static ProcessBuilder process(Path directory, String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TidemarkCommand.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).directory(directory.toFile());
  }

  /** SIGKILL as soon as the condition holds; whether it came to that before the command's end. */
  public static boolean killWhen(ProcessBuilder command, Callable<Boolean> condition)
      throws Exception {
    Process process =
        command
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    boolean ended = false;
    while (!ended && !condition.call()) {
      ended = process.waitFor(1, TimeUnit.MILLISECONDS);
    }
    process.destroyForcibly().waitFor();
    return !ended;
  }

  /** All files below a directory, also while it changes. */
  public static List<Path> files(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(directory.relativize(file));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found.stream().sorted().toList();
  }
}
