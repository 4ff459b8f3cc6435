package dev.tidemark.runners.dataflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.Command.Outcome;
import dev.tidemark.testkit.dataflow.DataflowServer;
import dev.tidemark.testkit.dataflow.JobRequest;
import dev.tidemark.testkit.gcs.GcsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The commands with DataflowRunner, and in this process the services that it talks to. */
final class Launch implements AutoCloseable {
  final GcsServer storage = GcsServer.start();
  final DataflowServer service = DataflowServer.start();
  private final Path staged;

  /**
   * @param directory for a file to stage in place of the class path
   */
  Launch(Path directory) throws IOException {
    storage.createBucket("bucket");
    staged = Files.writeString(directory.resolve("staged.jar"), "a jar");
  }

  /** Runs a command to its end. */
  Outcome command(String name, String... options) {
    List<String> args =
        new ArrayList<>(
            List.of(name, "--gcpTempLocation=gs://bucket/temp", "--filesToStage=" + staged));
    args.addAll(Arrays.asList(options));
    args.addAll(service.arguments());
    args.addAll(storage.arguments());
    Outcome outcome = Command.runHere(args.toArray(String[]::new));
    assertThat(service.refused(), is(empty()));
    return outcome;
  }

  /** The one job that was submitted. */
  JobRequest submitted() {
    assertThat(service.submitted().size(), is(1));
    return service.submitted().get(0);
  }

  void put(String name, String content) {
    storage.put("gs://bucket/" + name, content.getBytes(UTF_8));
  }

  @Override
  public void close() {
    storage.close();
    service.close();
  }
}
