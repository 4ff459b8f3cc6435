package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands and all libraries say at the level of INFO. */
class LogsTest {
  private static final String SECRET = "card-4111-1111";

  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void files() throws IOException {
    write("logging.properties", "handlers=java.util.logging.ConsoleHandler", ".level=INFO");
    write(
        "policy.yaml",
        "{metric: m, version: '1', timestamp: /t, key: {k: /k}, window: {fixed: {size: 1h}},",
        " aggregates: {n: count, sum: {sum: /v}}}");
    write(
        "events.ndjson",
        event("\"k\":\"a\",\"v\":1"),
        event("\"k\":[1],\"v\":1"),
        event("\"k\":\"a\",\"v\":1e999999"),
        SECRET,
        "{\"k\":" + SECRET);
  }

  @Test
  void noneHoldsARecord() throws Exception {
    for (List<String> command :
        List.of(
            List.of("run", "--policy=policy.yaml", "--input=events.ndjson", "--output=out"),
            List.of("replay", "--policy=policy.yaml", "--deadLetters=out", "--output=replayed"))) {
      String said = said(command);
      assertThat(said, containsString("INFO: "));
      assertThat(said, not(containsString(SECRET)));
    }
  }

  /** All that a command prints on its way to a good end. */
  private String said(List<String> command) throws Exception {
    Path said = directory.resolve("said.txt");
    ProcessBuilder process = Command.process(directory, command.toArray(String[]::new));
    process
        .environment()
        .put("JDK_JAVA_OPTIONS", "-Djava.util.logging.config.file=logging.properties");
    int exitCode =
        process.redirectErrorStream(true).redirectOutput(said.toFile()).start().waitFor();
    assertThat(Files.readString(said), exitCode, is(0));
    return Files.readString(said);
  }

  private static String event(String fields) {
    return "{\"t\":\"2026-07-04T10:00:00Z\",\"card\":\"%s\",%s}".formatted(SECRET, fields);
  }

  private void write(String name, String... lines) throws IOException {
    Files.write(directory.resolve(name), List.of(lines));
  }
}
