package dev.tidemark.pipelines;

import dev.tidemark.pipelines.deadletters.DeadLettersCommand;
import dev.tidemark.pipelines.deadletters.ReplayCommand;
import dev.tidemark.pipelines.generate.GenerateCommand;
import dev.tidemark.pipelines.plan.PlanCommand;
import dev.tidemark.pipelines.reconcile.LatestCommand;
import dev.tidemark.pipelines.reconcile.ReconcileCommand;
import dev.tidemark.pipelines.run.RunCommand;
import dev.tidemark.pipelines.simulate.SimulateCommand;
import dev.tidemark.policy.PolicyException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The {@code tidemark} command. Exits with 0 when done, 1 when the pipeline failed, and 2 when the
 * usage, a policy or the input is wrong, which it says in one line a problem.
 */
@Command(
    name = "tidemark",
    description = "Event-time windowed aggregation on Apache Beam.",
    mixinStandardHelpOptions = true,
    versionProvider = TidemarkCommand.Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "tidemark demo shows a live stream, on a Kafka broker of its own.",
      "tidemark package --runner=FlinkRunner makes a jar that flink run takes."
    },
    subcommands = {
      RunCommand.class,
      SimulateCommand.class,
      ReconcileCommand.class,
      LatestCommand.class,
      DeadLettersCommand.class,
      ReplayCommand.class,
      PlanCommand.class,
      GenerateCommand.class,
      GenerateCompletion.class
    })
public final class TidemarkCommand implements Runnable {
  private static final String JSON_LOGS = "--jsonLogs";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "On failure, show the whole stack trace.")
  private boolean stacktrace;

  @Option(
      names = JSON_LOGS,
      scope = ScopeType.INHERIT,
      description = "Write standard error as JSON, one object a line.")
  @SuppressWarnings("UnusedVariable") // main looks at the arguments, before anything can be wrong
  private boolean jsonLogs;

  public static void main(String[] args) {
    run(commandLine(), args);
  }

  /**
   * Runs a command to its end, and with it the process. But one that Flink started, and loaded the
   * command into, goes on when all is well: it may be the JobManager.
   */
  public static void run(CommandLine command, String[] args) {
    quietLogs();
    if (List.of(args).contains(JSON_LOGS)) { // also where the other arguments are wrong
      JsonLogs.install();
      command.setErr(JsonLogs.writer(System.err));
      System.setProperty("tidemark.terminal", "false");
    }
    int exitCode = command.execute(args);
    ClassLoader loader = TidemarkCommand.class.getClassLoader();
    if (exitCode != CommandLine.ExitCode.OK || loader == ClassLoader.getSystemClassLoader()) {
      System.exit(exitCode);
    }
  }

  /**
   * The command line.
   *
   * @param more subcommands that the class path has besides those of this module
   */
  public static CommandLine commandLine(Object... more) {
    TidemarkCommand root = new TidemarkCommand();
    CommandLine command = new CommandLine(root);
    for (Object subcommand : more) {
      command.addSubcommand(subcommand);
    }
    return command
        .setParameterExceptionHandler(TidemarkCommand::refuse)
        .setExecutionExceptionHandler(root::fail);
  }

  @Override
  public void run() {
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    throw new ParameterException(command, "a command is missing; see tidemark --help");
  }

  /** Wrong usage, as picocli found it. */
  private static int refuse(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    message(e).lines().forEach(line -> err.println("tidemark: " + line));
    return CommandLine.ExitCode.USAGE;
  }

  private static String message(ParameterException e) {
    List<String> unmatched = e.getCommandLine().getUnmatchedArguments();
    if (unmatched.isEmpty()) {
      return String.valueOf(e.getMessage());
    }
    // Said even where picocli complains of what is missing: it may just be mistyped.
    String wrong = unmatched.get(0).split("=", 2)[0];
    CommandSpec command = e.getCommandLine().getCommandSpec();
    return wrong.startsWith("-")
        ? "unknown option " + wrong + Nearest.hint(wrong, command.optionsMap().keySet())
        : "unknown command " + wrong + Nearest.hint(wrong, command.subcommands().keySet());
  }

  /** Wrong policies or input, or a pipeline that failed. */
  private int fail(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (stacktrace) {
      e.printStackTrace(err);
    }
    List<String> problems = problems(e);
    problems.forEach(problem -> err.println("tidemark: " + problem));
    return problems.isEmpty() ? failed(e, err) : CommandLine.ExitCode.USAGE;
  }

  private static List<String> problems(Exception e) {
    if (e instanceof UsageException usage) {
      return usage.problems();
    }
    return e instanceof PolicyException policy ? policy.problems() : List.of();
  }

  private static int failed(Exception e, PrintWriter err) {
    Throwable cause = e;
    while (cause.getCause() != null && saysNothing(cause, cause.getCause())) {
      cause = cause.getCause();
    }
    err.println("tidemark: failed: " + cause.toString().lines().findFirst().orElse(""));
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** Whether an exception only wraps its cause. */
  private static boolean saysNothing(Throwable e, Throwable cause) {
    return e.getMessage() == null || e.getMessage().equals(cause.toString());
  }

  private static void quietLogs() {
    if (System.getProperty("java.util.logging.config.file") != null) {
      return;
    }
    try (InputStream config = resource("logging.properties")) {
      LogManager.getLogManager().readConfiguration(config);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream resource(String name) {
    return Objects.requireNonNull(TidemarkCommand.class.getResourceAsStream(name), name);
  }

  /** The version of the build. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      Properties properties = new Properties();
      try (InputStream version = resource("version.properties")) {
        properties.load(version);
      }
      return new String[] {"tidemark " + properties.getProperty("version")};
    }
  }
}
