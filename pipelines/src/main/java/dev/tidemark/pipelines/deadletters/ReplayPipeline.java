package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterCoder;
import dev.tidemark.dlq.ReparseDeadLetters;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.options.ReplayOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.DeadLetterRolling;
import dev.tidemark.pipelines.files.FileDestination;
import dev.tidemark.pipelines.files.ReadLines;
import dev.tidemark.pipelines.run.Counts;
import dev.tidemark.pipelines.run.PipelineStart;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Wait;
import org.apache.beam.sdk.values.PCollection;

/**
 * From files of dead letters to the too-late lane, dead letters and severe ones. What passes comes
 * too late for the results of its run, so it goes where reconciling finds it; nothing is aggregated
 * here. Once all is written the pipeline commits, and nobody needs to wait for it.
 */
final class ReplayPipeline {
  private final PipelineOptions options;
  private final Policy policy;
  private final int maxAttempts;
  private final DeadLetterRolling rolling;

  ReplayPipeline(ReplayOptions options, Policy policy) throws UsageException {
    this.options = options;
    this.policy = policy;
    this.maxAttempts = options.getMaxAttempts();
    this.rolling = DeadLetterRolling.of(options);
    if (maxAttempts < 1) {
      throw new UsageException("--maxAttempts=" + maxAttempts + ": must be 1 or more");
    }
    if (policy.windowing() instanceof Windowing.Global) {
      throw new UsageException(
          "the windows of "
              + policy.metric()
              + " are global: reconcile corrects those with an end only");
    }
  }

  Policy policy() {
    return policy;
  }

  /**
   * Runs to the end.
   *
   * @param commit where to write to, and what to do then
   * @throws IllegalStateException if the pipeline fails
   */
  Counts run(List<String> files, ReplayCommit commit, PrintWriter err) throws IOException {
    return Counts.of(PipelineStart.waitUntilDone(start(files, commit, err)).metrics());
  }

  /** Hands the pipeline to its runner. */
  PipelineResult start(List<String> files, ReplayCommit commit, PrintWriter err)
      throws IOException {
    return PipelineStart.start(pipeline(metadata(files), commit), commit.run(), err);
  }

  private Pipeline pipeline(List<Metadata> files, ReplayCommit commit) {
    // Not rolling: the same attempt made twice must write the same files, to count once.
    FileDestination destination =
        FileDestination.of(commit.staging(), commit.run())
            .spreadingDeadLettersOver(rolling.filesOf(files));
    Pipeline pipeline = Pipeline.create(options);
    PCollection<DeadLetter> before =
        pipeline
            .apply("Read files", ReadLines.of(files, WallClock.SYSTEM))
            .apply("Each line", Flatten.iterables())
            .apply("Read dead letters", ParDo.of(new ReadFn(policy.metric())))
            .setCoder(DeadLetterCoder.of());
    ReparseDeadLetters.Output parsed =
        before.apply("Parse again", ReparseDeadLetters.of(policy, maxAttempts));
    PCollection<?> tooLate =
        parsed
            .events()
            .apply("Find windows", EventsInWindows.of(policy))
            .apply("Write too-late events", destination.tooLateFiles(policy));
    PCollection<?> deadLetters =
        parsed.deadLetters().apply("Write dead letters", destination.deadLetterFiles(policy));
    PCollection<?> severe =
        parsed.severe().apply("Write severe dead letters", destination.severeFiles(policy));
    before
        .apply("Count what is missing", CountMissing.in(parsed))
        .apply("Once all is written", Wait.on(tooLate, deadLetters, severe))
        .apply("Commit", ParDo.of(new CommitFn(commit)));
    return pipeline;
  }

  private static List<Metadata> metadata(List<String> files) throws IOException {
    List<Metadata> metadata = new ArrayList<>();
    for (MatchResult match : FileSystems.match(files)) {
      metadata.addAll(match.metadata());
    }
    return metadata;
  }

  /** The dead letters of one metric. */
  static final class ReadFn extends DoFn<RawRecord, DeadLetter> {
    private final String metric;

    ReadFn(String metric) {
      this.metric = metric;
    }

    @ProcessElement
    public void process(@Element RawRecord line, OutputReceiver<DeadLetter> out) {
      DeadLetter deadLetter = DeadLetterFile.parse(line);
      if (deadLetter.metric().equals(metric)) {
        out.output(deadLetter);
      }
    }
  }

  /** Commits once, and no harm is done if it is tried again. */
  static final class CommitFn extends DoFn<Long, Void> {
    private final ReplayCommit commit;

    CommitFn(ReplayCommit commit) {
      this.commit = commit;
    }

    @ProcessElement
    public void process(@Element Long missing) throws IOException {
      if (missing != 0) {
        throw new IllegalStateException(
            "%,d dead letters that were read came out neither as events nor as dead letters"
                .formatted(missing));
      }
      commit.commit();
    }
  }
}
