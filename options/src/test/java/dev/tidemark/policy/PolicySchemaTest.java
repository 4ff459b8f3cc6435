package dev.tidemark.policy;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
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

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "[]",
          "{}",
          "[a]",
          "0",
          "1",
          "1.0",
          "1.5",
          "1e3",
          "-1",
          "12",
          "99999999999",
          "''",
          "x",
          "/x",
          "/~",
          "/",
          "' '",
          "5m",
          "0s",
          "0m",
          "1h0m",
          "m5",
          "5M",
          "PT",
          "P1D",
          "PT0S",
          "pt1s",
          "PT1.5S",
          "1.5s",
          "99999d",
          "json",
          "count",
          "global",
          "day",
          "week",
          "MONDAY",
          "UTC",
          "07:00",
          "7:00",
          "event-time",
          "retracting",
          "{of: /x}",
          "{count: 1}",
          "{global: {}}",
          "{fixed: {size: 1s}}",
          "{early: {count: 1}}",
          "{csv: {columns: [x]}}",
          "{a-b: /x}",
          "{a b: /x}");

  static Stream<String> valid() {
    return PolicyExamples.valid().stream();
  }

  static Stream<Invalid> invalid() {
    return PolicyExamples.invalid().stream().filter(i -> i.tells() != Tells.TEXT);
  }

  private static JsonNode tree(String yaml) {
    return JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml));
  }

  private static List<Error> errors(String yaml) {
    return SCHEMA.validate(tree(yaml));
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

  @Provide
  Arbitrary<JsonNode> mutated() {
    return Combinators.combine(
            Arbitraries.of(PolicyExamples.valid()),
            Arbitraries.integers().between(0, 1000),
            Arbitraries.of(VALUES),
            Arbitraries.of(true, false))
        .as(PolicySchemaTest::mutate);
  }

  /** Sets one field of one of the policy's mappings to a value, or adds a field with it. */
  private static JsonNode mutate(String yaml, int choice, String value, boolean add) {
    JsonNode policy = tree(yaml);
    List<ObjectNode> mappings = new ArrayList<>(List.of((ObjectNode) policy));
    for (int i = 0; i < mappings.size(); i++) {
      mappings
          .get(i)
          .forEach(
              child -> {
                if (child instanceof ObjectNode mapping) {
                  mappings.add(mapping);
                }
              });
    }
    ObjectNode mapping = mappings.get(choice % mappings.size());
    List<String> names = new ArrayList<>();
    mapping.fieldNames().forEachRemaining(names::add);
    String name = add || names.isEmpty() ? "of" : names.get(choice % names.size());
    mapping.set(name, tree(value));
    return policy;
  }

  @Property(tries = 3000)
  void neverRefusesWhatTheLoaderAccepts(@ForAll("mutated") JsonNode policy) {
    try {
      PolicyLoader.parse(policy.toString(), "policy.json");
    } catch (PolicyException refused) {
      return;
    }
    assertThat(policy.toString(), SCHEMA.validate(policy), is(empty()));
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
