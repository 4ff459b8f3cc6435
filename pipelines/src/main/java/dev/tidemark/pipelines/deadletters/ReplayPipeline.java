package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterCoder;
import dev.tidemark.dlq.ReparseDeadLetters;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.options.ReplayOptions;
import dev.tidemark.pipelines.Outlet;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.DeadLetterRolling;
import dev.tidemark.pipelines.files.FileDestination;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.files.ReadLines;
import dev.tidemark.pipelines.run.Conservation;
import dev.tidemark.pipelines.run.Counts;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;

/**
 * From files of dead letters to the too-late lane, dead letters and severe ones. What passes comes
 * too late for the results of its run, so it goes where reconciling finds it; nothing is aggregated
 * here.
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
   * @param output the directory to write to
   * @param run names the files
   * @throws IllegalStateException if the pipeline fails, or does not account for every record
   */
  Counts run(List<String> files, OutputDirectory output, String run) throws IOException {
    if (files.isEmpty()) {
      return Counts.none(); // others were first to claim them all
    }
    PipelineResult result = pipeline(metadata(files), output, run).run();
    State state = result.waitUntilFinish();
    if (state != State.DONE) {
      throw new IllegalStateException("the pipeline ended as " + state);
    }
    Counts counts = Counts.of(result.metrics());
    List<String> imbalances = Conservation.imbalances(policy, counts);
    if (!imbalances.isEmpty()) {
      throw new IllegalStateException("events are missing: " + String.join("; ", imbalances));
    }
    return counts;
  }

  private Pipeline pipeline(List<Metadata> files, OutputDirectory output, String run) {
    FileDestination destination = FileDestination.of(output, run).rollingDeadLettersAt(rolling);
    Pipeline pipeline = Pipeline.create(options);
    PCollection<DeadLetter> before =
        pipeline
            .apply("Read files", ReadLines.of(files, WallClock.SYSTEM))
            .apply("Read dead letters", ParDo.of(new ReadFn(policy.metric())))
            .setCoder(DeadLetterCoder.of());
    ReparseDeadLetters.Output parsed =
        before.apply("Parse again", ReparseDeadLetters.of(policy, maxAttempts));
    Outlet.writeAll(
        parsed.events().apply("Find windows", EventsInWindows.of(policy)),
        destination.tooLate(policy));
    Outlet.writeAll(parsed.deadLetters(), destination.deadLetters(policy));
    parsed.severe().apply("Write severe dead letters", destination.severe(policy));
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
}
