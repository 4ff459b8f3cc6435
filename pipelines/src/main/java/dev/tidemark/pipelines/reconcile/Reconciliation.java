package dev.tidemark.pipelines.reconcile;

import dev.tidemark.dlq.DeadLetterCoder;
import dev.tidemark.event.WallClock;
import dev.tidemark.options.DeadLetterFileOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.DeadLetterRolling;
import dev.tidemark.pipelines.files.DeadLetterSink;
import dev.tidemark.pipelines.files.LaneFiles;
import dev.tidemark.pipelines.files.NdjsonFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.files.ReadLines;
import dev.tidemark.pipelines.run.PipelineStart;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowResultCoder;
import dev.tidemark.transforms.reconcile.Reconcile;
import dev.tidemark.transforms.reconcile.UnusableTrailException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.Wait;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The pipeline from a trail of results and a too-late lane to corrections.
 *
 * <p>Nothing is written before all lines have been read and all corrections computed, so an input
 * that is refused leaves no trace. A window's retractions and its correction go to one file, which
 * appears whole or not at all. The files' names depend on the files read and on nothing else: a
 * second pipeline over the same files writes the same ones.
 */
final class Reconciliation {
  private final Policy policy;
  private final SortedMap<String, Metadata> results;
  private final SortedMap<String, Metadata> tooLate;
  private final OutputDirectory output;

  private Reconciliation(
      Policy policy,
      SortedMap<String, Metadata> results,
      SortedMap<String, Metadata> tooLate,
      OutputDirectory output) {
    this.policy = policy;
    this.results = results;
    this.tooLate = tooLate;
    this.output = output;
  }

  /**
   * Finds the files. What the output holds of earlier corrections belongs to the trail.
   *
   * @param results directories with results
   * @param tooLate directories with the too-late lane
   * @param output directory to add to
   * @throws UsageException if a directory has no files, or the output cannot be written to
   */
  static Reconciliation of(Policy policy, List<String> results, List<String> tooLate, String output)
      throws UsageException, IOException {
    SortedMap<String, Metadata> trail =
        LaneFiles.find("--results", results, OutputDirectory.RESULTS);
    SortedMap<String, Metadata> lane =
        LaneFiles.find("--tooLate", tooLate, OutputDirectory.TOO_LATE);
    OutputDirectory directory = new OutputDirectory(output);
    directory.prepareToAppend();
    for (Metadata file :
        LaneFiles.below(OutputDirectory.resource(directory.lane(OutputDirectory.RESULTS)))) {
      trail.put(file.resourceId().toString(), file);
    }
    return new Reconciliation(policy, trail, lane, directory);
  }

  /**
   * Runs the pipeline to its end.
   *
   * @throws UsageException if a line cannot be read, or the lines do not tell what is right
   */
  PipelineResult run(PipelineOptions options, PrintWriter err) throws UsageException, IOException {
    try {
      return PipelineStart.waitUntilDone(start(options, err));
    } catch (Pipeline.PipelineExecutionException e) {
      throw refusal(e);
    } finally {
      output.delete(temporary());
    }
  }

  /**
   * Hands the pipeline to its runner. Where nobody waits and it fails, hidden files may be left.
   */
  PipelineResult start(PipelineOptions options, PrintWriter err) throws UsageException {
    DeadLetterRolling rolling = DeadLetterRolling.of(options.as(DeadLetterFileOptions.class));
    return PipelineStart.start(pipeline(options, rolling), policy.metric(), err);
  }

  private Pipeline pipeline(PipelineOptions options, DeadLetterRolling rolling) {
    Pipeline pipeline = Pipeline.create(options);
    ReadResults.Output trail =
        pipeline
            .apply("Read results", lines(results))
            .apply("Each result line", Flatten.iterables())
            .apply("Parse results", ReadResults.of(policy));
    ReadTooLate.Output lane =
        pipeline
            .apply("Read too-late lane", lines(tooLate))
            .apply("Each too-late line", Flatten.iterables())
            .apply("Parse too-late events", ReadTooLate.of(policy));
    PCollection<List<WindowResult>> corrections =
        PCollectionTuple.of(Reconcile.RESULTS, trail.results())
            .and(Reconcile.TOO_LATE, lane.events())
            .apply("Reconcile", Reconcile.of(policy))
            .apply("Once all is checked", Wait.on(trail.checked()))
            .setCoder(ListCoder.of(WindowResultCoder.of()));
    corrections.apply("Write corrections", correctionFiles());
    lane.deadLetters()
        .apply("Once all is corrected", Wait.on(corrections))
        .setCoder(DeadLetterCoder.of())
        .apply(
            "Write dead letters",
            DeadLetterSink.of(
                    output.name(),
                    policy.metric() + "-reconcile-" + fingerprint(tooLate.values().stream()))
                .withTemporaryDirectory(output.lane(temporary()))
                .spreadOver(deadLetterFiles(rolling)));
    return pipeline;
  }

  /** As many as there would be of that size, were all of the lane dead letters of one hour. */
  private int deadLetterFiles(DeadLetterRolling rolling) {
    return rolling.filesOf(tooLate.values());
  }

  private static ReadLines lines(SortedMap<String, Metadata> files) {
    return ReadLines.of(List.copyOf(files.values()), WallClock.SYSTEM);
  }

  private NdjsonFiles<List<WindowResult>> correctionFiles() {
    Policy shown = policy;
    return NdjsonFiles.<List<WindowResult>>of(
            output.name(),
            OutputDirectory.RESULTS,
            policy.metric() + "-corrections-" + fingerprint(),
            results -> start(results.get(results.size() - 1)),
            results ->
                results.stream()
                    .map(result -> ResultJson.line(shown, result))
                    .collect(Collectors.joining("\n")))
        .withTemporaryDirectory(output.lane(temporary()));
  }

  private static @Nullable Instant start(WindowResult result) {
    ResultWindow window = result.window();
    return window == null ? null : window.start();
  }

  /** Hidden, so that nobody takes what is in it for results. */
  private String temporary() {
    return ".temp-reconcile-" + fingerprint();
  }

  private String fingerprint() {
    return fingerprint(Stream.concat(results.values().stream(), tooLate.values().stream()));
  }

  /** Files that are only added to are known by their names and sizes. */
  private static String fingerprint(Stream<Metadata> files) {
    String names =
        files
            .map(file -> file.resourceId() + " " + file.sizeBytes())
            .collect(Collectors.joining("\n"));
    return UUID.nameUUIDFromBytes(names.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static UsageException refusal(Pipeline.PipelineExecutionException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnusableTrailException unusable) {
        return new UsageException(String.valueOf(unusable.getMessage()));
      }
    }
    throw e;
  }
}
