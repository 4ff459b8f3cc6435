package dev.tidemark.pipelines.run;

import dev.tidemark.event.RawRecord;
import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.AggregateEvents;
import dev.tidemark.pipelines.Destination;
import dev.tidemark.pipelines.Destinations;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.kafka.PoliciesInForce;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Aggregates the events of files, topics or a subscription by one or more policies. */
@Command(
    name = "run",
    description =
        "Aggregate the events of files, topics or a subscription by one or more policies.",
    customSynopsis = {
      "tidemark run --policy=FILE,... --input=GLOB,... --output=DIR",
      "                    [--overwrite] [--stacktrace] [--NAME=VALUE ...]",
      "tidemark run --policy=FILE,... --bootstrapServers=HOST:PORT --topic=NAME,... --output=DIR",
      "                    [--overwrite] [--stacktrace] [--NAME=VALUE ...]",
      "tidemark run --policy=FILE,... --subscription=NAME --output=DIR",
      "                    [--overwrite] [--stacktrace] [--NAME=VALUE ...]"
    },
    footer = {
      "",
      "On DirectRunner and Dataflow also: Pub/Sub is read with --subscription or --inputTopic,",
      "--timestampAttribute and --idAttribute, and published to with --outputPubsubTopic,",
      "--tooLatePubsubTopic and --deadLetterPubsubTopic; BigQuery has results written to it with",
      "--outputTable and --latestTable. See docs/pubsub.md and docs/bigquery.md.",
      "",
      "Any option of Beam or of its runners may follow, --targetParallelism=4 say.",
      "",
      "Exit codes: 0 done; 1 the pipeline failed; 2 wrong usage, policy or input; 130 interrupted."
    },
    modelTransformer = RunCommand.Options.class)
public final class RunCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws UsageException, IOException {
    Instant started = Instant.now();
    RunOptions options =
        BeamOptions.parse(RunOptions.class, command().commandLine().getParseResult());
    FileSystems.setDefaultPipelineOptions(options);
    List<Policy> policies = Policies.load(options.getPolicy());
    Optional<RunnerDefaults> runner = RunnerDefaults.of(options);
    if (runner.isPresent()) {
      checkStart(runner.get(), options, policies);
    }
    Source source = Source.of(options, policies);
    Destinations destinations = ChosenDestinations.of(options, policies, RunId.next());
    Pipeline pipeline = pipeline(options, policies, source, destinations);
    List<DeadLetterAlarm> alarms = alarms(options, policies);
    if (options.isDetached() && !alarms.isEmpty()) {
      throw new UsageException(
          "--maxDeadLetterRatio: is watched by a command that waits; leave out --detached, or watch"
              + " the counter deadLetters");
    }
    destinations.prepare();

    PipelineResult running = PipelineStart.start(pipeline, "tidemark", err());
    return options.isDetached()
        ? ExitCode.OK
        : attend(running, destinations, policies, alarms, started);
  }

  /** Waits for the pipeline's end, and says what became of it. */
  private int attend(
      PipelineResult running,
      Destinations destinations,
      List<Policy> policies,
      List<DeadLetterAlarm> alarms,
      Instant started)
      throws IOException {
    boolean terminal = Boolean.getBoolean("tidemark.terminal"); // the launcher knows
    Progress progress = new Progress(err(), terminal, started);
    Supplier<Summary> summary =
        () -> Summary.of(running.metrics(), policies, new Duration(started, Instant.now()));
    return switch (new Attended(running, destinations, err(), summary).awaitEnd(progress, alarms)) {
      case FAILED -> ExitCode.SOFTWARE;
      case REPLACED -> {
        err().println("tidemark: another job has taken over; it goes on by itself");
        yield ExitCode.OK;
      }
      case DONE -> {
        Summary last = summary.get();
        last.print(err(), destinations);
        yield last.isBalanced() ? ExitCode.OK : ExitCode.SOFTWARE;
      }
    };
  }

  private static void checkStart(RunnerDefaults runner, RunOptions options, List<Policy> policies)
      throws UsageException {
    Map<String, Policy> byFile = new LinkedHashMap<>();
    for (int i = 0; i < policies.size(); i++) {
      byFile.put(options.getPolicy().get(i), policies.get(i));
    }
    runner.checkStart(options, byFile);
  }

  private static Pipeline pipeline(
      RunOptions options, List<Policy> policies, Source source, Destination destination) {
    options.as(DirectOptions.class).setBlockOnRun(false);
    PoliciesInForce.set(options, policies);
    Pipeline pipeline = Pipeline.create(options);
    PCollection<List<RawRecord>> records = pipeline.apply(source.name(), source.records());
    for (Policy policy : policies) {
      records.apply(
          policy.metric(),
          AggregateEvents.of(policy, destination)
              .withAccumulators(options.isWithAccumulators())
              .withGuardedWatermark(source.isGuarded()));
    }
    return pipeline;
  }

  private static List<DeadLetterAlarm> alarms(RunOptions options, List<Policy> policies)
      throws UsageException {
    Double ratio = options.getMaxDeadLetterRatio();
    if (ratio == null) {
      return List.of();
    }
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new UsageException("--maxDeadLetterRatio=" + ratio + ": must be from 0 to 1");
    }
    long over = options.getDeadLetterRatioOver();
    if (over <= 0) {
      throw new UsageException("--deadLetterRatioOver=" + over + ": must be more than 0");
    }
    return policies.stream()
        .map(policy -> new DeadLetterAlarm(policy.metric(), ratio, over))
        .toList();
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
      super(RunOptions.class);
    }
  }
}
