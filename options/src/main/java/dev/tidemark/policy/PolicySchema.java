package dev.tidemark.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The policy's form as JSON Schema (draft 2020-12), for editors and other tools. It knows every
 * field, type and default; the rules that compare values (an offset below a size, say) are only the
 * loader's.
 */
public final class PolicySchema {
  private PolicySchema() {}

  /** The schema's text, as the resource {@code policy.schema.json} has it. */
  public static String json() {
    ObjectNode schema =
        JsonNodeFactory.instance
            .objectNode()
            .put("$schema", "https://json-schema.org/draft/2020-12/schema")
            .put("title", "Tidemark policy")
            .put("description", "The contract of one metric: its windows, clock and lateness.");
    schema.setAll(PolicyGrammar.POLICY.schema());
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can be written", e);
    }
  }
}
