package dev.tidemark.templates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.dataflow.model.ParameterMetadata;
import com.google.api.services.dataflow.model.TemplateMetadata;
import dev.tidemark.pipelines.TidemarkCommand;
import java.beans.Introspector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of docs/dataflow.md have no flag or parameter that is not there. */
class DataflowPageTest {
  private static final Path ROOT = Path.of(System.getProperty("tidemark.root"));
  private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--([a-zA-Z][\\w-]*)");
  private static final Pattern TEMPLATE = Pattern.compile("templates/(\\w+)\\.json");

  /**
   * Those of gcloud and bq that the page has.
   *
   * @see <a href="https://cloud.google.com/sdk/gcloud/reference">gcloud</a>
   */
  private static final Set<String> GCLOUD =
      Set.of(
          "additional-user-labels",
          "dataflow-kms-key",
          "disable-public-ips",
          "enable-streaming-engine",
          "image",
          "location",
          "member",
          "max-workers",
          "metadata-file",
          "nouse_legacy_sql",
          "parameters",
          "region",
          "repository-format",
          "role",
          "sdk-language",
          "service-account-email",
          "status",
          "subnetwork",
          "temp-location",
          "template-file-gcs-location",
          "topic",
          "uniform-bucket-level-access",
          "update",
          "worker-machine-type");

  private final String page = read("docs/dataflow.md");

  @Test
  void theFlagsOfTidemarkAreOptions() {
    List<String> commands = commands("./tidemark ");
    assertThat(commands.size(), greaterThan(2));
    for (String command : commands) {
      Set<String> unknown = flags(command);
      unknown.removeAll(options(command.split(" ", 3)[1]));
      assertThat(command, unknown, is(empty()));
    }
  }

  @Test
  void theFlagsOfGcloudAreKnown() {
    List<String> commands = commands("gcloud ");
    assertThat(commands.size(), greaterThan(10));
    for (String command : commands) {
      Set<String> unknown = flags(command);
      unknown.removeAll(GCLOUD);
      assertThat(command, unknown, is(empty()));
    }
  }

  @ParameterizedTest
  @MethodSource("templates")
  void eachTemplateIsLaunchedWithAllThatItRequiresAndNothingThatItDoesNotKnow(Template template)
      throws IOException {
    List<String> launches =
        commands("gcloud dataflow flex-template run ").stream()
            .filter(command -> command.contains("/" + template.name() + ".json"))
            .toList();
    assertThat(launches, is(not(empty())));
    for (String command : launches) {
      Set<String> given = new TreeSet<>();
      Pattern.compile("--parameters=(\\S+)")
          .matcher(command)
          .results()
          .flatMap(each -> Stream.of(each.group(1).split(",", -1)))
          .forEach(each -> given.add(each.split("=", 2)[0]));
      assertThat(command, given, hasItems(required(template)));
      given.removeAll(parameters(command));
      assertThat(command, given, is(empty()));
    }
  }

  static Stream<Template> templates() {
    return Template.all().stream();
  }

  private static String[] required(Template template) {
    return Parameters.of(template).stream()
        .filter(parameter -> !parameter.getIsOptional())
        .map(ParameterMetadata::getName)
        .toArray(String[]::new);
  }

  @Test
  void theParametersInTerraformAreThoseOfTheTemplate() throws IOException {
    Matcher resource = Pattern.compile("(?s)```hcl(.*?)```").matcher(page);
    assertThat(resource.find(), is(true));
    Matcher parameters = Pattern.compile("(?s)parameters = \\{(.*?)\\}").matcher(resource.group(1));
    assertThat(parameters.find(), is(true));
    Set<String> given = names("(?m)^ *(\\w+) +=", parameters.group(1));
    assertThat(given.size(), greaterThan(3));
    given.removeAll(parameters(resource.group(1)));
    assertThat(given, is(empty()));
  }

  @Test
  void everyOtherFlagOfThePageIsKnown() {
    Set<String> unknown = flags(page);
    unknown.removeAll(GCLOUD);
    for (String command : List.of("run", "plan")) {
      unknown.removeAll(options(command));
    }
    assertThat(unknown, is(empty()));
  }

  /** Of a command, and Beam's own. */
  private static Set<String> options(String command) {
    Set<String> options =
        PipelineOptionsFactory.getRegisteredOptions().stream()
            .flatMap(each -> Arrays.stream(each.getMethods()))
            .map(getter -> getter.getName().replaceFirst("^(get|is)", ""))
            .map(Introspector::decapitalize)
            .collect(Collectors.toCollection(TreeSet::new));
    TidemarkCommand.commandLine()
        .getSubcommands()
        .get(command)
        .getCommandSpec()
        .optionsMap()
        .keySet()
        .forEach(option -> options.add(option.substring(2)));
    return options;
  }

  /** Of the template that a text names. */
  private static Set<String> parameters(String text) throws IOException {
    Matcher template = TEMPLATE.matcher(text);
    assertThat(text, template.find(), is(true));
    return GsonFactory.getDefaultInstance()
        .fromString(read("templates/" + template.group(1) + ".json"), TemplateMetadata.class)
        .getParameters()
        .stream()
        .map(ParameterMetadata::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Those that begin so in code blocks, each on one line. */
  private List<String> commands(String beginning) {
    List<String> commands = new ArrayList<>();
    page.replaceAll("\\\\\n\\s+", "")
        .lines()
        .filter(line -> line.startsWith("    " + beginning))
        .forEach(line -> commands.add(line.strip()));
    return commands;
  }

  private static Set<String> flags(String text) {
    return names(FLAG.pattern(), text);
  }

  private static Set<String> names(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String read(String file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
