package dev.tidemark.policy;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds docs/policy.md to the policy's form. */
class PolicyReferenceTest {
  private static String reference() throws IOException {
    return Files.readString(Path.of(System.getProperty("tidemark.root"), "docs", "policy.md"));
  }

  static Stream<String> fields() throws IOException {
    JsonNode schema = new ObjectMapper().readTree(PolicySchema.json());
    return schema.findValues("properties").stream()
        .flatMap(
            properties ->
                StreamSupport.stream(
                    ((Iterable<String>) properties::fieldNames).spliterator(), false))
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void namesEveryField(String field) throws IOException {
    assertThat(reference(), containsString(field));
  }

  @Test
  void itsExampleLoads() throws Exception {
    String example =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
            .matcher(reference())
            .results()
            .findFirst()
            .orElseThrow()
            .group(1);
    assertThat(PolicyLoader.parse(example, "policy.md").metric(), is("revenue-per-store"));
  }
}
