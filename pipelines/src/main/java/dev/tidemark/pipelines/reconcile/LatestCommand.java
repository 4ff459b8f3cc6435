package dev.tidemark.pipelines.reconcile;

import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.LaneFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.run.BeamOptions;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark latest}: what stands of an audit trail of results. */
@Command(
    name = "latest",
    description = {
      "Print what stands of an audit trail of results: one line for each metric, key and window.",
      "Takes memory for the whole trail."
    },
    footer = {"", "Any option of Beam may follow, --gcsEndpoint=URL say."},
    modelTransformer = BeamOptions.PassedThrough.class)
public final class LatestCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--results",
      required = true,
      split = ",",
      paramLabel = "DIR",
      description = "The directories with the results; all .ndjson files below count.")
  private List<String> results = List.of();

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "The policy of a metric whose panes add up: of accumulation discarding.")
  private @Nullable String policy;

  @Override
  public Integer call() throws PolicyException, UsageException, IOException {
    CommandLine command = Objects.requireNonNull(spec, "picocli sets it").commandLine();
    FileSystems.setDefaultPipelineOptions(
        BeamOptions.parse(PipelineOptions.class, command.getParseResult()));
    Policy loaded = policy == null ? null : PolicyLoader.load(policy);
    PrintWriter out = command.getOut();
    LatestView.of(LaneFiles.find("--results", results, OutputDirectory.RESULTS).values(), loaded)
        .forEach(out::println);
    out.flush();
    return 0;
  }
}
