package dev.tidemark.templates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.in;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesRegex;

import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.dataflow.model.ParameterMetadata;
import com.google.api.services.dataflow.model.TemplateMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The metadata files say what the options say, in the words of the Dataflow API. */
class TemplateMetadataTest {
  private static final Path ROOT = Path.of(System.getProperty("tidemark.root"));
  private static final Path CHECKED_IN = ROOT.resolve("templates");
  private static final Path NOW = ROOT.resolve("templates/target/metadata");

  /**
   * @see <a
   *     href="https://cloud.google.com/dataflow/docs/reference/rest/v1b3/projects.locations.flexTemplates/launch#parametertype">The
   *     types of parameters</a>
   */
  private static final Set<String> TYPES =
      Set.of(
          "TEXT",
          "BOOLEAN",
          "NUMBER",
          "ENUM",
          "GCS_READ_FILE",
          "GCS_WRITE_FOLDER",
          "GCS_READ_FOLDER",
          "PUBSUB_TOPIC",
          "PUBSUB_SUBSCRIPTION",
          "BIGQUERY_TABLE");

  static Stream<Template> templates() {
    return Template.all().stream();
  }

  @ParameterizedTest
  @MethodSource("templates")
  void theFileIsThatOfTheOptions(Template template) throws IOException {
    String file = template.name() + ".json";
    String now = json(template);
    Files.createDirectories(NOW);
    Files.writeString(NOW.resolve(file), now);
    Path checkedIn = CHECKED_IN.resolve(file);
    assertThat(
        "The options have changed, or what is said of them; if that is meant: cp "
            + ROOT.relativize(NOW.resolve(file))
            + " templates/",
        Files.exists(checkedIn) ? Files.readString(checkedIn) : "",
        is(now));
  }

  @ParameterizedTest
  @MethodSource("templates")
  void theFileIsInTheWordsOfTheApi(Template template) throws IOException {
    TemplateMetadata metadata =
        GsonFactory.getDefaultInstance().fromString(json(template), TemplateMetadata.class);
    assertThat(metadata.getUnknownKeys().keySet(), is(Set.of()));
    Set<String> names = new HashSet<>();
    for (ParameterMetadata parameter : metadata.getParameters()) {
      assertThat(parameter.getUnknownKeys().keySet(), is(Set.of()));
      assertThat(names.add(parameter.getName()), is(true));
      assertThat(parameter.getLabel().isBlank(), is(false));
      assertThat(parameter.getHelpText().isBlank(), is(false));
      assertThat(List.of(parameter.getParamType()), everyItem(in(TYPES)));
      if (parameter.getRegexes() != null && parameter.getDefaultValue() != null) {
        assertThat(parameter.getDefaultValue(), matchesRegex(parameter.getRegexes().get(0)));
      }
    }
    assertThat(names.containsAll(template.required()), is(true));
  }

  @Test
  void eachTemplateHasAFileAndNoOther() throws IOException {
    try (Stream<Path> files = Files.list(CHECKED_IN)) {
      assertThat(
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".json"))
              .sorted()
              .toList(),
          is(templates().map(template -> template.name() + ".json").sorted().toList()));
    }
  }

  private static String json(Template template) throws IOException {
    TemplateMetadata metadata =
        new TemplateMetadata()
            .setName(template.title())
            .setDescription(template.description())
            .setStreaming(template.streaming())
            .setParameters(Parameters.of(template));
    if (template.streaming()) {
      // At least once would count an event twice.
      metadata.setSupportsAtLeastOnce(false).setSupportsExactlyOnce(true);
    }
    return GsonFactory.getDefaultInstance().toPrettyString(metadata) + "\n";
  }
}
