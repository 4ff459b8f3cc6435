package dev.tidemark.dlq;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.event.RawRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

class DeadLetterJsonTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  @Example
  void aLineHoldsEverythingToUnderstandAndReplayTheRecord() {
    assertThat(
        DeadLetterJson.line(deadLetter(Samples.raw("not\u0000json"), "e\n\tat x")),
        is(
            "{\"reason\":\"NOT_JSON\",\"message\":\"malformed\",\"exception\":\"e\\n\\tat x\","
                + "\"raw\":\"not\\u0000json\","
                + "\"source\":{\"file\":\"events.ndjson\",\"line\":7,\"offset\":42},"
                + "\"arrivedAt\":\"2026-07-04T11:59:00.000Z\","
                + "\"metric\":\"sample\",\"policyVersion\":\"3\",\"attempts\":1}"));
  }

  @Example
  void aRecordThatIsNotUtf8IsInBase64() {
    byte[] bytes = {(byte) 0xFF, 0};
    assertThat(
        DeadLetterJson.line(deadLetter(Samples.raw(bytes), null)),
        containsString("\"exception\":null,\"rawBase64\":\"/wA=\",\"source\""));
  }

  @Property
  void bytesComeBackFromTheLine(@ForAll byte[] bytes) throws IOException {
    assertComesBack(bytes);
  }

  @Property
  void textComesBackFromTheLine(@ForAll String text) throws IOException {
    assertComesBack(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertComesBack(byte[] bytes) throws IOException {
    String line = DeadLetterJson.line(deadLetter(Samples.raw(bytes), null));
    assertThat(line, not(containsString("\n")));
    JsonNode read = MAPPER.readTree(line.getBytes(StandardCharsets.UTF_8));
    byte[] back =
        read.has("raw")
            ? read.get("raw").textValue().getBytes(StandardCharsets.UTF_8)
            : read.get("rawBase64").binaryValue();
    assertThat(back, is(bytes));
  }

  private static DeadLetter deadLetter(RawRecord raw, @Nullable String exception) {
    return new DeadLetter(Reason.NOT_JSON, "malformed", exception, raw, "sample", "3", 1);
  }
}
