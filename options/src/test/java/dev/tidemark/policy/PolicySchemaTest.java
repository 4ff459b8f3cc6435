package dev.tidemark.policy;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tidemark.policy.PolicyExamples.Invalid;
import dev.tidemark.policy.PolicyExamples.Tells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class PolicySchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(PolicySchema.json(), InputFormat.JSON);

  static Stream<String> valid() {
    return PolicyExamples.valid().stream();
  }

  static Stream<Invalid> invalid() {
    return PolicyExamples.invalid().stream().filter(i -> i.tells() != Tells.TEXT);
  }

  private static List<Error> errors(String yaml) {
    Object tree = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return SCHEMA.validate(JSON.valueToTree(tree));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void acceptsWhatTheLoaderAccepts(String yaml) throws PolicyException {
    PolicyLoader.parse(yaml, "policy.yaml");
    assertThat(errors(yaml), is(empty()));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesWhatTheLoaderRefusesExceptWhereValuesAreCompared(Invalid invalid) {
    assertThat(
        errors(invalid.yaml()), invalid.tells() == Tells.SCHEMA ? is(not(empty())) : is(empty()));
  }

  /** The checked-in schema; rewritten under -Dtidemark.writeSchema=true. */
  @Test
  void theCheckedInSchemaIsTheModels() throws IOException {
    Path file =
        Path.of(
            System.getProperty("tidemark.root"),
            "options/src/main/resources/dev/tidemark/policy/policy.schema.json");
    if (Boolean.getBoolean("tidemark.writeSchema")) {
      Files.writeString(file, PolicySchema.json());
    }
    assertThat(
        "The policy's form has changed; run: mvn -pl options test -Dtest=PolicySchemaTest"
            + " -Dtidemark.writeSchema=true",
        Files.readString(file),
        is(PolicySchema.json()));
  }
}
