package dev.tidemark.pipelines.simulate;

import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code tidemark simulate}: what a policy does with one sequence of arrivals. */
@Command(
    name = "simulate",
    description = {
      "Play a file of events, in the order of their arrival, against a policy.",
      "Lines {\"@watermark\": \"2026-07-04T10:00:00Z\"} move the watermark by hand, and lines"
          + " {\"@processingTime\": \"10s\"} let processing time pass."
    })
public final class SimulateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--policy", required = true, description = "The policy's file.")
  private String policy;

  @Option(names = "--events", required = true, description = "The events, one a line.")
  private String events;

  @Option(
      names = "--output",
      required = true,
      description = "The directory for results.ndjson, too-late.ndjson and dead-letters.ndjson.")
  private Path output;

  @Option(names = "--overwrite", description = "Write even if the directory is not empty.")
  private boolean overwrite;

  @Option(
      names = "--withAccumulators",
      description = "Give each result its accumulators too, so that reconcile can correct it.")
  private boolean withAccumulators;

  @Option(
      names = "--now",
      converter = InstantConverter.class,
      description = "The wall clock at the first event. Default: the machine's.")
  private @Nullable Instant now;

  @Override
  public Integer call() throws PolicyException, UsageException, IOException {
    Policy loaded = PolicyLoader.load(policy);
    Simulation simulation =
        Simulation.of(loaded, events, now == null ? Instant.now() : now)
            .withAccumulators(withAccumulators);
    SimulationFiles files = SimulationFiles.in(output, overwrite);
    List<Played> played = simulation.run();
    files.write(loaded, played);
    Timeline.print(loaded, played, spec.commandLine().getOut());
    return 0;
  }

  private static final class InstantConverter implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      Instant instant = Times.instant(text);
      if (instant == null) {
        throw new TypeConversionException("'" + text + "' is not " + Times.INSTANT_ALLOWED);
      }
      return instant;
    }
  }
}
