package dev.tidemark.pipelines.simulate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyLoader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.joda.time.Instant;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each folder of {@code testdata/cases}: a policy, arrivals, and what must come of them. */
class CasesTest {
  private static final Path CASES =
      Path.of(System.getProperty("tidemark.root"), "testdata", "cases");
  private static final Instant NOW = Instant.parse("2026-07-10T00:00:00Z");

  private static final Set<String> RESULT_FIELDS =
      Set.of("key", "windowStart", "windowEnd", "resultKind", "firingSequence", "value");
  private static final Set<String> UNNUMBERED_FIELDS =
      Set.of("key", "windowStart", "windowEnd", "resultKind", "value");
  private static final Set<String> TOO_LATE_FIELDS = Set.of("key", "windowStart", "windowEnd");

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final BigDecimal TOLERANCE = new BigDecimal("1e-6");

  @TempDir private Path output;

  static Stream<String> cases() throws IOException {
    try (Stream<Path> folders = Files.list(CASES)) {
      return folders.map(folder -> folder.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theCaseComesOutAsWorked(String name) throws Exception {
    Path folder = CASES.resolve(name);
    JsonNode expected = JSON.readTree(folder.resolve("expected.json").toFile());
    Policy policy = PolicyLoader.load(folder.resolve("policy.yaml").toString());

    List<Played> played =
        Simulation.of(policy, folder.resolve("events.ndjson").toString(), NOW).run();
    SimulationFiles.in(output, false).write(policy, played);

    String compare = expected.path("compare").asText();
    assertSame(
        results(expected.path("results"), compare), results(lines("results.ndjson"), compare));
    assertSame(
        only(expected.path("tooLate"), TOO_LATE_FIELDS),
        only(lines("too-late.ndjson"), TOO_LATE_FIELDS));
    assertThat(lines("dead-letters.ndjson"), hasSize(expected.path("deadLetters").asInt()));
  }

  private static List<JsonNode> results(Iterable<JsonNode> results, String compare) {
    return switch (compare) {
      case "all" -> only(results, RESULT_FIELDS);
      case "final-values" ->
          only(ofKinds(results, Set.of("FINAL", "LATE_UPDATE")), UNNUMBERED_FIELDS);
      case "early-only" -> only(ofKinds(results, Set.of("EARLY")), RESULT_FIELDS);
      default -> throw new IllegalArgumentException(compare);
    };
  }

  private List<JsonNode> lines(String file) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(output.resolve(file))) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  private static List<JsonNode> ofKinds(Iterable<JsonNode> results, Set<String> kinds) {
    return StreamSupport.stream(results.spliterator(), false)
        .filter(result -> kinds.contains(result.path("resultKind").asText()))
        .toList();
  }

  private static List<JsonNode> only(Iterable<JsonNode> lines, Set<String> fields) {
    return StreamSupport.stream(lines.spliterator(), false)
        .map(line -> line.<ObjectNode>deepCopy().retain(fields))
        .<JsonNode>map(line -> line)
        .toList();
  }

  /** The same lines in any order. */
  private static void assertSame(List<JsonNode> expected, List<JsonNode> actual) {
    List<JsonNode> missing = new ArrayList<>();
    List<JsonNode> surplus = new ArrayList<>(actual);
    for (JsonNode line : expected) {
      surplus.stream()
          .filter(candidate -> line.equals(CasesTest::compare, candidate))
          .findFirst()
          .ifPresentOrElse(surplus::remove, () -> missing.add(line));
    }
    assertThat(
        Map.of("missing", missing, "surplus", surplus),
        is(Map.of("missing", List.of(), "surplus", List.of())));
  }

  /** For the scalars of two lines: 0 if they are the same. */
  private static int compare(JsonNode a, JsonNode b) {
    boolean same =
        (a.isNumber() && b.isNumber())
            ? a.decimalValue().subtract(b.decimalValue()).abs().compareTo(TOLERANCE) <= 0
            : a.equals(b);
    return same ? 0 : 1;
  }
}
