package dev.tidemark.pipelines.generate;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code tidemark generate}: writes sample events to a file or to standard output. */
@Command(
    name = "generate",
    description = "Write sample events: out of order, some late, some broken.")
public final class GenerateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--kind",
      required = true,
      converter = KindConverter.class,
      description = "payments, clicks, escalations, telemetry or telemetry-csv.")
  private EventKind kind;

  @Option(names = "--events", required = true, description = "How many.")
  private long events;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "The same seed gives the same events. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--output", description = "The file to write. Default: standard output.")
  private @Nullable Path output;

  @Override
  public Integer call() {
    if (events < 0) {
      throw new ParameterException(spec.commandLine(), "--events: must not be negative");
    }
    try {
      write();
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "--output=" + output + ": cannot be written to", e);
    }
    return 0;
  }

  private void write() throws IOException {
    EventGenerator generator = EventGenerator.of(kind, seed);
    if (output == null) {
      Writer out = spec.commandLine().getOut();
      generator.write(events, out);
      out.flush();
      return;
    }
    try (Writer out = Files.newBufferedWriter(output)) {
      generator.write(events, out);
    }
  }

  private static final class KindConverter implements ITypeConverter<EventKind> {
    @Override
    public EventKind convert(String name) {
      return Arrays.stream(EventKind.values())
          .filter(kind -> kind.toString().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + name + "' is none of " + Arrays.toString(EventKind.values())));
    }
  }
}
