package dev.tidemark.pipelines.files;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.Outlet;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Files of NDJSON in the lanes of an output directory. */
public final class FileDestination implements Destination {
  private final OutputDirectory directory;
  private final String run;
  private final boolean overwriting;
  private final boolean appending;
  private final UnaryOperator<DeadLetterSink> rolling;

  private FileDestination(
      OutputDirectory directory,
      String run,
      boolean overwriting,
      boolean appending,
      UnaryOperator<DeadLetterSink> rolling) {
    this.directory = directory;
    this.run = run;
    this.overwriting = overwriting;
    this.appending = appending;
    this.rolling = rolling;
  }

  /**
   * Writes to a directory.
   *
   * @param run a name that no other run writing to the directory has
   */
  public static FileDestination of(OutputDirectory directory, String run) {
    return new FileDestination(directory, run, false, false, UnaryOperator.identity());
  }

  /** Whether {@link #prepare} deletes the files of an earlier run instead of refusing. */
  public FileDestination overwriting(boolean overwriting) {
    return new FileDestination(directory, run, overwriting, appending, rolling);
  }

  /** Whether {@link #prepare} leaves what another run wrote, and adds to it. */
  public FileDestination appending(boolean appending) {
    return new FileDestination(directory, run, overwriting, appending, rolling);
  }

  /** How files of dead letters roll. */
  public FileDestination rollingDeadLettersAt(DeadLetterRolling rolling) {
    return new FileDestination(
        directory, run, overwriting, appending, sink -> sink.rollingAt(rolling));
  }

  /** Over how many files of about one size dead letters are spread; see {@link NdjsonFiles}. */
  public FileDestination spreadingDeadLettersOver(int files) {
    return new FileDestination(
        directory, run, overwriting, appending, sink -> sink.spreadOver(files));
  }

  @Override
  public List<Outlet<WindowResult>> results(Policy policy) {
    NdjsonFiles<WindowResult> files =
        files(
            policy,
            OutputDirectory.RESULTS,
            result -> result.window() == null ? null : result.window().start(),
            result -> ResultJson.line(policy, result));
    return List.of(new Outlet<>("Write results", directory.lane(OutputDirectory.RESULTS), files));
  }

  @Override
  public List<Outlet<TooLateEvent>> tooLate(Policy policy) {
    return List.of(
        new Outlet<>(
            "Write too-late events",
            directory.lane(OutputDirectory.TOO_LATE),
            tooLateFiles(policy)));
  }

  @Override
  public List<Outlet<DeadLetter>> deadLetters(Policy policy) {
    return List.of(
        new Outlet<>(
            "Write dead letters",
            directory.lane(OutputDirectory.DEAD_LETTERS),
            deadLetterFiles(policy)));
  }

  /** What {@link #tooLate} writes with. */
  public NdjsonFiles<TooLateEvent> tooLateFiles(Policy policy) {
    return files(
        policy,
        OutputDirectory.TOO_LATE,
        late -> late.event().raw().arrivedAt(),
        late -> ResultJson.line(policy, late));
  }

  /** What {@link #deadLetters} writes with. */
  public DeadLetterSink deadLetterFiles(Policy policy) {
    return rolling.apply(DeadLetterSink.of(directory.name(), prefix(policy)));
  }

  /** Where the dead letters of a policy go that have failed too often. */
  public DeadLetterSink severeFiles(Policy policy) {
    return rolling.apply(DeadLetterSink.severe(directory.name(), prefix(policy)));
  }

  private <T> NdjsonFiles<T> files(
      Policy policy,
      String lane,
      SerializableFunction<T, @Nullable Instant> time,
      SerializableFunction<T, String> line) {
    return NdjsonFiles.of(directory.name(), lane, prefix(policy), time, line);
  }

  private String prefix(Policy policy) {
    return policy.metric() + "-" + run;
  }

  @Override
  public void prepare() throws UsageException {
    if (appending) {
      directory.prepareToAppend();
    } else {
      directory.prepare(overwriting);
    }
  }

  @Override
  public void cleanUp() throws IOException {
    directory.removeTemporaryFiles();
  }
}
