package dev.tidemark.pipelines.plan;

import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.run.BeamOptions;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says what a policy means, what it costs and what to think about, without running it. */
@Command(
    name = "plan",
    description = "Say what a policy means and costs, without running it.",
    footer = {"", "Any option of Beam may follow, --gcsEndpoint=URL say."},
    modelTransformer = BeamOptions.PassedThrough.class)
public final class PlanCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--policy", required = true, paramLabel = "FILE", description = "Policy file.")
  private String policyFile = "";

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "How many keys have events at a time (default: ${DEFAULT-VALUE}).")
  private long keys = 1;

  @Option(
      names = "--eventsPerSecond",
      paramLabel = "N",
      description = "How many events come a second, over all keys.")
  private @Nullable Double eventsPerSecond;

  @Override
  public Integer call() throws PolicyException, UsageException {
    FileSystems.setDefaultPipelineOptions(
        BeamOptions.parse(PipelineOptions.class, command().commandLine().getParseResult()));
    checkPositive("--keys", (double) keys);
    checkPositive("--eventsPerSecond", eventsPerSecond == null ? 1 : eventsPerSecond);
    print(PolicyLoader.load(policyFile), command().commandLine().getOut());
    return 0;
  }

  private void checkPositive(String option, double value) {
    if (!(value > 0)) {
      throw new ParameterException(command().commandLine(), option + ": must be more than 0");
    }
  }

  private void print(Policy policy, PrintWriter out) {
    out.println(policy.metric() + ", version " + policy.version());
    printTable(Words.of(policy), out);
    out.println();
    printTable(new Cost(policy, keys, eventsPerSecond).figures(), out);
    for (Warning warning : Warning.of(policy)) {
      out.println();
      out.println("warning  " + warning.what());
      out.println("    why  " + warning.why());
      out.println("     do  " + warning.instead());
    }
    out.flush();
  }

  private static void printTable(Map<String, String> rows, PrintWriter out) {
    int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
    rows.forEach(
        (name, text) -> out.println("  " + name + " ".repeat(width - name.length()) + "  " + text));
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec, "picocli sets it");
  }
}
