package dev.tidemark.gcp;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.api.services.bigquery.model.TableFieldSchema;
import dev.tidemark.pipelines.Command;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The columns of a table of results. */
class ResultTableTest {
  private static final Path SNAPSHOT =
      Path.of("src/test/resources/dev/tidemark/gcp/result-columns.txt");

  @TempDir private Path directory = Path.of("");

  /**
   * On a difference: a column that is new may be added to the snapshot. One that is gone or has
   * another type breaks the tables that people have, and their queries.
   */
  @Test
  void theColumnsForTheSamplePoliciesAreThoseOfTheSnapshot() throws Exception {
    Path policies = Path.of("../testdata/policies");
    List<Policy> all = new ArrayList<>();
    for (Path file : Command.files(policies)) {
      if (file.toString().endsWith(".yaml")) {
        all.add(PolicyLoader.load(policies.resolve(file).toString()));
      }
    }
    List<String> columns = new ArrayList<>();
    addColumns("", ResultTable.schema(all).getFields(), columns);
    assertThat(String.join("\n", columns), is(Files.readString(SNAPSHOT).strip()));
  }

  private static void addColumns(
      String place, List<TableFieldSchema> fields, List<String> columns) {
    for (TableFieldSchema field : fields) {
      columns.add(place + field.getName() + " " + field.getMode() + " " + field.getType());
      if (field.getFields() != null) {
        addColumns(place + field.getName() + ".", field.getFields(), columns);
      }
    }
  }

  @Test
  void policiesShareTheColumnsThatTheyBothHave() throws Exception {
    List<TableFieldSchema> columns =
        ResultTable.schema(
                List.of(policy("a", "{k: /k}", "n: count"), policy("b", "{j: /j}", "n: count")))
            .getFields();
    assertThat(names(columns, "key"), contains("k", "j"));
    assertThat(names(columns, "value"), contains("n"));
  }

  @Test
  void aPolicyWithoutKeyFieldsHasNoColumnForThem() throws Exception {
    List<TableFieldSchema> columns =
        ResultTable.schema(List.of(policy("a", "{}", "n: count"))).getFields();
    assertThat(ResultTable.find(columns, "key").isEmpty(), is(true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n: count       | n: {sum: /v}           | b: value.n is BIGNUMERIC, but INTEGER as n of another policy; rename one, or give them tables of their own",
        "n: count       | n: {top: {of: /v, n: 1}} | b: value.n is REPEATED RECORD, but INTEGER as n of another policy; rename one, or give them tables of their own",
        "n: {last: /v}  | N: count               | b: value.N is INTEGER, but STRING as n of another policy; rename one, or give them tables of their own",
        "n: count       | 'n-1': count           | b: value.n-1 cannot be a column; allowed: letters, digits and '_'"
      })
  void namesThatDoNotGoTogetherAreRefused(String one, String other, String problem)
      throws Exception {
    List<Policy> policies = List.of(policy("a", "{k: /k}", one), policy("b", "{k: /k}", other));
    UsageException e = assertThrows(UsageException.class, () -> ResultTable.schema(policies));
    assertThat(e.problems(), contains(problem));
  }

  private static List<String> names(List<TableFieldSchema> columns, String column) {
    return ResultTable.find(columns, column).orElseThrow().getFields().stream()
        .map(TableFieldSchema::getName)
        .toList();
  }

  private Policy policy(String metric, String key, String aggregates) throws Exception {
    Path file = directory.resolve(metric + ".yaml");
    Files.writeString(
        file,
        """
        metric: %s
        version: "1"
        timestamp: /t
        key: %s
        window: {fixed: {size: 5m}}
        aggregates: {%s}
        """
            .formatted(metric, key, aggregates));
    return PolicyLoader.load(file.toString());
  }
}
