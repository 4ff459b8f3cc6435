package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.pipelines.Command.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With {@code --jsonLogs}, standard error is JSON and nothing else. */
class JsonLogsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory = Path.of("");

  @Test
  void aProblemIsAnObjectOfLevelError() throws Exception {
    Outcome outcome = Command.run(directory, "run", "--polcy=x", "--jsonLogs");
    assertThat(outcome.exitCode(), is(2));
    List<JsonNode> lines = parsed(outcome.err());
    assertThat(lines, hasSize(1));
    assertThat(
        lines.get(0).get("message").textValue(),
        is("unknown option --polcy; did you mean --policy?"));
    assertThat(lines.get(0).get("level").textValue(), is("ERROR"));
    assertThat(fields(lines.get(0)), is(List.of("time", "level", "logger", "message")));
  }

  @Test
  void whatARunSaysIsAnObjectALine() throws Exception {
    Path testdata = Path.of(System.getProperty("tidemark.root"), "testdata");
    Outcome outcome =
        Command.run(
            directory,
            "run",
            "--jsonLogs",
            "--policy=" + testdata.resolve("policies/revenue-per-store.yaml"),
            "--input=" + testdata.resolve("events/payments-1.ndjson"),
            "--output=out");
    assertThat(outcome.err(), outcome.exitCode(), is(0));
    assertThat(
        parsed(outcome.err()).stream()
            .map(line -> line.get("level").textValue() + " " + line.get("message").textValue())
            .toList(),
        hasItem("INFO results: out/results"));
  }

  @Test
  void aLineIsWrittenOnceItIsWhole() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintWriter out = JsonLogs.writer(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    out.print("one\r\ntw");
    out.flush();
    assertThat(messages(bytes), is(List.of("one")));
    out.println("o");
    assertThat(messages(bytes), is(List.of("one", "two")));
  }

  @ParameterizedTest
  @CsvSource({"SEVERE, ERROR", "WARNING, WARN", "INFO, INFO", "CONFIG, DEBUG", "FINEST, DEBUG"})
  void aLogRecordHasItsLevelLoggerMessageAndException(String level, String shown) throws Exception {
    LogRecord record = new LogRecord(Level.parse(level), "{0} of \"{1}\"\n");
    record.setParameters(new Object[] {1, 2});
    record.setLoggerName("org.example");
    record.setThrown(new IllegalStateException("broken"));
    JsonNode line = JSON.readTree(new JsonLogs.JsonFormatter().format(record));
    assertThat(fields(line), is(List.of("time", "level", "logger", "message", "exception")));
    assertThat(line.get("level").textValue(), is(shown));
    assertThat(line.get("logger").textValue(), is("org.example"));
    assertThat(line.get("message").textValue(), is("1 of \"2\"\n"));
    assertThat(
        line.get("exception").textValue(), startsWith("java.lang.IllegalStateException: broken"));
  }

  private static List<String> messages(ByteArrayOutputStream bytes) throws Exception {
    return parsed(bytes.toString(StandardCharsets.UTF_8)).stream()
        .map(line -> line.get("message").textValue())
        .toList();
  }

  private static List<JsonNode> parsed(String err) throws Exception {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : err.lines().toList()) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  private static List<String> fields(JsonNode line) {
    List<String> fields = new ArrayList<>();
    line.fieldNames().forEachRemaining(fields::add);
    return fields;
  }
}
