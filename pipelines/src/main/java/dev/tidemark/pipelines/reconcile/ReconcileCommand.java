package dev.tidemark.pipelines.reconcile;

import dev.tidemark.options.ReconcileOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.run.BeamOptions;
import dev.tidemark.pipelines.run.Counts;
import dev.tidemark.pipelines.run.OptionsAsPicocli;
import dev.tidemark.pipelines.run.Policies;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.beam.sdk.io.FileSystems;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark reconcile}: corrects results for the events that came too late for them. */
@Command(
    name = "reconcile",
    description = "Correct results for the events that came too late for them.",
    customSynopsis = {
      "tidemark reconcile --results=DIR,... --tooLate=DIR,... --policy=FILE --output=DIR",
      "                          [--stacktrace] [--NAME=VALUE ...]"
    },
    footer = {
      "",
      "Any option of Beam or of its runners may follow, --targetParallelism=4 say.",
      "",
      "Exit codes: 0 done; 1 the pipeline failed; 2 wrong usage, policy or input."
    },
    modelTransformer = ReconcileCommand.Options.class)
public final class ReconcileCommand implements Callable<Integer> {
  private static final int TOP_REASONS = 3;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws UsageException, IOException {
    CommandSpec command = Objects.requireNonNull(spec, "picocli sets it");
    ReconcileOptions options =
        BeamOptions.parse(ReconcileOptions.class, command.commandLine().getParseResult());
    FileSystems.setDefaultPipelineOptions(options);
    PrintWriter err = command.commandLine().getErr();
    Policy policy = Policies.loadOne(options.getPolicy());
    Reconciliation reconciliation =
        Reconciliation.of(policy, options.getResults(), options.getTooLate(), options.getOutput());
    if (options.isDetached()) {
      reconciliation.start(options, err);
      return 0;
    }
    Counts counts = Counts.of(reconciliation.run(options, err).metrics());
    print(policy, counts, new OutputDirectory(options.getOutput()), err);
    return 0;
  }

  private static void print(Policy policy, Counts counts, OutputDirectory output, PrintWriter err) {
    String reasons = counts.topReasons(TOP_REASONS);
    err.printf(
        "%s: %,d too-late events read, %,d windows corrected, %,d dead letters%s%n",
        policy.metric(),
        counts.tooLate(),
        counts.corrections(),
        counts.deadLetters(),
        reasons.isEmpty() ? "" : " (" + reasons + ")");
    if (counts.deadLetters() > 0) {
      err.println("dead letters: " + output.lane(OutputDirectory.DEAD_LETTERS));
    }
    if (counts.corrections() > 0) {
      err.println("corrections: " + output.lane(OutputDirectory.RESULTS));
    }
    err.flush();
  }

  /** The command's own options, for picocli. */
  static final class Options extends OptionsAsPicocli {
    Options() {
      super(ReconcileOptions.class);
    }
  }
}
