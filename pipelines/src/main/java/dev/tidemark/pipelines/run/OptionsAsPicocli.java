package dev.tidemark.pipelines.run;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Gives picocli the pipeline options of a command, for help and completion, so that each stays
 * declared once. Beam's own options pass through unmatched.
 */
public abstract class OptionsAsPicocli implements IModelTransformer {
  private final Class<? extends PipelineOptions> type;

  /** Of the options that this interface has besides those of every pipeline. */
  protected OptionsAsPicocli(Class<? extends PipelineOptions> type) {
    this.type = type;
  }

  @Override
  public CommandSpec transform(CommandSpec spec) {
    options(type).forEach(spec::addOption);
    spec.parser().unmatchedArgumentsAllowed(true);
    return spec;
  }

  /** The options as given, in the form {@code --name=value} that Beam reads. */
  static List<String> given(Class<? extends PipelineOptions> type, ParseResult parsed) {
    return options(type).stream()
        .map(OptionSpec::longestName)
        .filter(parsed::hasMatchedOption)
        .map(name -> name + "=" + text(parsed.matchedOptionValue(name, "")))
        .toList();
  }

  private static String text(Object value) {
    return value instanceof List<?> list
        ? String.join(",", list.stream().map(Object::toString).toList())
        : value.toString();
  }

  private static List<OptionSpec> options(Class<? extends PipelineOptions> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.isAnnotationPresent(Description.class))
        .filter(method -> method.getDeclaringClass() != PipelineOptions.class)
        .map(OptionsAsPicocli::option)
        .sorted(Comparator.comparing(OptionSpec::longestName))
        .toList();
  }

  private static OptionSpec option(Method getter) {
    OptionSpec.Builder option =
        OptionSpec.builder("--" + BeamOptions.name(getter))
            .description(getter.getAnnotation(Description.class).value())
            .paramLabel("VALUE");
    if (getter.getReturnType() == boolean.class) {
      return option.type(boolean.class).arity("0..1").fallbackValue("true").build();
    }
    if (getter.getReturnType() == List.class) {
      return option.type(List.class).auxiliaryTypes(String.class).paramLabel("VALUE,...").build();
    }
    return option.type(getter.getReturnType()).build();
  }
}
