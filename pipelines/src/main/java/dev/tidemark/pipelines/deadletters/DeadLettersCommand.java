package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.Reason;
import dev.tidemark.options.DeadLettersOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.LaneFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.run.BeamOptions;
import dev.tidemark.pipelines.run.OptionsAsPicocli;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark dead-letters}: what lies in quarantine, and why. */
@Command(
    name = "dead-letters",
    description = "Count dead letters by reason and hour of arrival, and show some messages.",
    customSynopsis = {
      "tidemark dead-letters --deadLetters=DIR,... [--reason=REASON,...] [--samples=N]",
      "                             [--json] [--stacktrace] [--NAME=VALUE ...]"
    },
    footer = {
      "",
      "A line that is no dead letter is named on standard error and counted.",
      "",
      "Exit codes: 0 done; 1 the files could not be read; 2 wrong usage or input."
    },
    modelTransformer = DeadLettersCommand.Options.class)
public final class DeadLettersCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws UsageException, IOException {
    DeadLettersOptions options =
        BeamOptions.parse(DeadLettersOptions.class, command().commandLine().getParseResult());
    FileSystems.setDefaultPipelineOptions(options);
    if (options.getSamples() < 0) {
      throw new UsageException("--samples=" + options.getSamples() + ": must be 0 or more");
    }
    Set<Reason> reasons = Reasons.of(options.getReason());
    Collection<Metadata> files =
        LaneFiles.find("--deadLetters", options.getDeadLetters(), OutputDirectory.DEAD_LETTERS)
            .values();
    PrintWriter out = command().commandLine().getOut();
    Tally tally = new Tally(options.getSamples());
    long malformed = read(files, reasons, tally);
    TallyReport report = new TallyReport(tally, files.size(), malformed);
    if (options.isJson()) {
      out.println(report.json());
    } else {
      report.table().forEach(out::println);
    }
    out.flush();
    return 0;
  }

  private long read(Collection<Metadata> files, Set<Reason> reasons, Tally tally)
      throws IOException {
    PrintWriter err = command().commandLine().getErr();
    AtomicLong malformed = new AtomicLong();
    for (Metadata file : files) {
      DeadLetterFile.read(
          file,
          deadLetter -> {
            if (reasons.contains(deadLetter.reason())) {
              tally.add(deadLetter);
            }
          },
          problem -> {
            malformed.incrementAndGet();
            err.println("tidemark: " + problem);
          });
    }
    return malformed.get();
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec, "picocli sets it");
  }

  /** The command's own options, for picocli. */
  static final class Options extends OptionsAsPicocli {
    Options() {
      super(DeadLettersOptions.class);
    }
  }
}
