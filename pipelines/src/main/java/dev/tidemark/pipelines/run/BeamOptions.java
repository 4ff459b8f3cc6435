package dev.tidemark.pipelines.run;

import dev.tidemark.options.DetachedOptions;
import dev.tidemark.pipelines.Nearest;
import dev.tidemark.pipelines.UsageException;
import java.beans.Introspector;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Turns arguments into pipeline options: Tidemark's own, and any that Beam and its runners know.
 */
public final class BeamOptions {
  /** Those that the launcher has a class path for. */
  private static final List<String> RUNNERS =
      List.of("DirectRunner", "FlinkRunner", "SparkRunner", "DataflowRunner");

  private BeamOptions() {}

  /**
   * Reads the arguments of a command: those of {@link OptionsAsPicocli}, and what it left
   * unmatched, of the forms {@code --name=value}, {@code --name value} and {@code --name}.
   *
   * @param type the command's own options
   * @throws UsageException naming each unknown option with the nearest known one, each value that
   *     an option cannot take, each required option that is missing, or what the runner cannot do
   */
  public static <T extends PipelineOptions> T parse(Class<T> type, ParseResult parsed)
      throws UsageException {
    List<String> joined = new ArrayList<>(OptionsAsPicocli.given(type, parsed));
    joined.addAll(joinValues(parsed.unmatched()));
    checkKnown(type, joined, parsed.commandSpec().optionsMap().keySet());
    checkRequired(type, joined, parsed.commandSpec().name());
    checkRunner(joined);
    checkValues(type, joined);
    T options = of(type, joined);
    applyDefaults(options, Set.copyOf(names(joined)));
    return options;
  }

  private static void applyDefaults(PipelineOptions options, Set<String> given)
      throws UsageException {
    Optional<RunnerDefaults> defaults = RunnerDefaults.of(options);
    if (defaults.isPresent()) {
      defaults.get().apply(options, given);
      if (options.as(DetachedOptions.class).isDetached()
          && !defaults.get().outlivesCommand(options)) {
        throw new UsageException(
            "--detached: "
                + defaults.get().runner()
                + " runs in this process and ends with it; allowed where a cluster runs it");
      }
    }
  }

  private static <T extends PipelineOptions> T of(Class<T> type, List<String> args) {
    return PipelineOptionsFactory.fromArgs(args.toArray(String[]::new)).as(type);
  }

  private static List<String> joinValues(List<String> args) throws UsageException {
    List<String> joined = new ArrayList<>();
    for (String arg : args) {
      int last = joined.size() - 1;
      if (arg.startsWith("--")) {
        joined.add(arg);
      } else if (last >= 0 && !joined.get(last).contains("=")) {
        joined.set(last, joined.get(last) + "=" + arg);
      } else {
        throw new UsageException("unexpected argument " + arg + "; options start with --");
      }
    }
    return joined;
  }

  private static void checkKnown(
      Class<? extends PipelineOptions> type, List<String> args, Set<String> ofCommand)
      throws UsageException {
    Set<String> known = known(type);
    List<String> hints = new ArrayList<>(dashed(known));
    hints.addAll(ofCommand);
    List<String> problems =
        names(args).stream()
            .filter(name -> !known.contains(name))
            .map(name -> "unknown option --" + name + Nearest.hint("--" + name, hints))
            .toList();
    UsageException.throwIfAny(problems);
  }

  private static void checkRunner(List<String> args) throws UsageException {
    UsageException.throwIfAny(
        args.stream()
            .filter(arg -> arg.startsWith("--runner="))
            .filter(arg -> RUNNERS.stream().noneMatch(runner -> isOf(arg, runner)))
            .map(arg -> arg + ": unknown; allowed: " + String.join(", ", RUNNERS))
            .toList());
  }

  /** Beam takes a runner's name in any case, and without its last word. */
  private static boolean isOf(String arg, String runner) {
    String value = arg.substring("--runner=".length());
    return runner.equalsIgnoreCase(value) || runner.equalsIgnoreCase(value + "Runner");
  }

  private static void checkValues(Class<? extends PipelineOptions> type, List<String> args)
      throws UsageException {
    List<String> problems = new ArrayList<>();
    for (String arg : args) {
      try {
        of(type, List.of(arg));
      } catch (IllegalArgumentException e) {
        problems.add(arg + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }
    UsageException.throwIfAny(problems);
  }

  private static void checkRequired(
      Class<? extends PipelineOptions> type, List<String> args, String command)
      throws UsageException {
    List<String> given = names(args);
    UsageException.throwIfAny(
        Arrays.stream(type.getDeclaredMethods())
            .filter(getter -> getter.isAnnotationPresent(Validation.Required.class))
            .filter(getter -> getter.getDeclaringClass() != PipelineOptions.class) // have defaults
            .map(BeamOptions::name)
            .filter(name -> !given.contains(name))
            .map(name -> "missing option --" + name + "; see tidemark " + command + " --help")
            .sorted()
            .toList());
  }

  private static List<String> names(List<String> args) {
    return args.stream().map(arg -> arg.substring(2).split("=", 2)[0]).toList();
  }

  private static Set<String> known(Class<? extends PipelineOptions> type) {
    PipelineOptionsFactory.register(type);
    return PipelineOptionsFactory.getRegisteredOptions().stream()
        .flatMap(options -> Arrays.stream(options.getMethods()))
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> method.getName().matches("(get|is)\\p{Upper}.*"))
        .map(BeamOptions::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> dashed(Set<String> names) {
    return names.stream().map(name -> "--" + name).toList();
  }

  /** Lets Beam's options pass through a command whose own options are not among them. */
  public static final class PassedThrough implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      spec.parser().unmatchedArgumentsAllowed(true);
      return spec;
    }
  }

  /** The name of the option that a getter reads. */
  static String name(Method getter) {
    return Introspector.decapitalize(getter.getName().replaceFirst("^(get|is)", ""));
  }
}
