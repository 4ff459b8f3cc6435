package dev.tidemark.pipelines.deadletters;

import dev.tidemark.options.ReplayOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.LaneFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.run.BeamOptions;
import dev.tidemark.pipelines.run.Counts;
import dev.tidemark.pipelines.run.OptionsAsPicocli;
import dev.tidemark.pipelines.run.Policies;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark replay}: dead letters parsed again, each exactly once. */
@Command(
    name = "replay",
    description =
        "Parse dead letters again, each exactly once; what passes is for reconcile to count.",
    customSynopsis = {
      "tidemark replay --deadLetters=DIR --policy=FILE --output=DIR [--reason=REASON,...]",
      "                       [--from=INSTANT] [--to=INSTANT] [--maxAttempts=N] [--dryRun]",
      "                       [--stacktrace] [--NAME=VALUE ...]"
    },
    footer = {
      "",
      "Any option of Beam or of its runners may follow, --targetParallelism=4 say.",
      "",
      "Exit codes: 0 done; 1 the pipeline failed; 2 wrong usage, policy or input."
    },
    modelTransformer = ReplayCommand.Options.class)
public final class ReplayCommand implements Callable<Integer> {
  private static final int TOP_REASONS = 3;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws UsageException, IOException {
    ReplayOptions options =
        BeamOptions.parse(ReplayOptions.class, command().commandLine().getParseResult());
    FileSystems.setDefaultPipelineOptions(options);
    Policy policy = Policies.loadOne(options.getPolicy());
    ReplayFilter filter = ReplayFilter.of(options.getReason(), options.getFrom(), options.getTo());
    ReplayPipeline pipeline = new ReplayPipeline(options, policy);
    // Before anything is replayed: what a replay puts back is for another one.
    Collection<Metadata> files =
        LaneFiles.find(
                "--deadLetters", List.of(options.getDeadLetters()), OutputDirectory.DEAD_LETTERS)
            .values();
    OutputDirectory output = new OutputDirectory(options.getOutput());
    output.prepareToAppend();
    List<ReplayRun> unfinished = ReplayRun.unfinished(output, policy.metric());
    List<Metadata> candidates = unclaimed(files, unfinished, options.getDeadLetters(), policy);
    if (options.isDryRun()) {
      unfinished.forEach(run -> say(run.run() + ": not done, would first be completed"));
      List<String> fitting = fitting(candidates, policy, filter);
      DryRun.lines(fitting, policy, options.getMaxAttempts()).forEach(this::say);
      return 0;
    }
    boolean detached = options.isDetached();
    for (ReplayRun run : unfinished) {
      if (replay(run, pipeline, detached)) {
        say("files that nobody has claimed are for another replay, once this one is done");
        return 0;
      }
    }
    List<String> fitting = fitting(candidates, policy, filter);
    if (fitting.isEmpty()) {
      say(policy.metric() + ": nothing to replay");
    } else {
      replay(ReplayRun.of(output, policy.metric(), fitting), pipeline, detached);
    }
    return 0;
  }

  private List<String> fitting(List<Metadata> files, Policy policy, ReplayFilter filter)
      throws IOException {
    Selection selection = Selection.of(files, policy.metric(), filter);
    selection.left().forEach(this::say);
    return selection.files();
  }

  private List<Metadata> unclaimed(
      Collection<Metadata> files, List<ReplayRun> unfinished, String directory, Policy policy)
      throws IOException {
    Set<String> taken = new HashSet<>(new Claims(policy.metric()).claimedBelow(directory));
    unfinished.forEach(run -> taken.addAll(run.files()));
    List<Metadata> unclaimed =
        files.stream().filter(file -> !taken.contains(file.resourceId().toString())).toList();
    if (unclaimed.size() < files.size()) {
      say(
          "%s: %,d files are claimed by earlier replays"
              .formatted(policy.metric(), files.size() - unclaimed.size()));
    }
    return unclaimed;
  }

  /**
   * Replays to the end, or starts to.
   *
   * @param detached whether the runner runs the pipeline by itself
   * @return whether the runner does now
   */
  private boolean replay(ReplayRun run, ReplayPipeline pipeline, boolean detached)
      throws IOException {
    try (RunLock lock = run.tryLock()) {
      if (lock == null) {
        say(
            "%s: is running; its %,d files are left to it"
                .formatted(run.run(), run.files().size()));
        return false;
      }
      ReplayCommit commit = run.begin(pipeline.policy());
      if (commit.isCommitted()) {
        commit.commit();
        say(run.run() + ": was committed, is done now");
        return false;
      }
      List<String> claimed = run.claim();
      if (claimed.isEmpty()) {
        commit.commit();
        say(run.run() + ": other replays have claimed all of its files");
        return false;
      }
      if (detached) {
        pipeline.start(claimed, commit, err());
        return true;
      }
      Counts counts = pipeline.run(claimed, commit, err());
      say(
          run.run()
              + ": "
              + (commit.isOwn() ? summary(counts) : "was committed by another process"));
      return false;
    }
  }

  private static String summary(Counts counts) {
    String reasons = counts.topReasons(TOP_REASONS);
    return "%,d dead letters replayed: %,d passed, %,d failed%s, %,d of them severe"
        .formatted(
            counts.read(),
            counts.events(),
            counts.deadLetters(),
            reasons.isEmpty() ? "" : " (" + reasons + ")",
            counts.severe());
  }

  private void say(String line) {
    err().println(line);
    err().flush();
  }

  private PrintWriter err() {
    return command().commandLine().getErr();
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec, "picocli sets it");
  }

  /** The command's own options, for picocli. */
  static final class Options extends OptionsAsPicocli {
    Options() {
      super(ReplayOptions.class);
    }
  }
}
