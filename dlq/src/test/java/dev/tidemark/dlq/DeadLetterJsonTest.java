package dev.tidemark.dlq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyOrNullString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.event.Bytes;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.WithNull;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.CoderUtils;
import org.jspecify.annotations.Nullable;

class DeadLetterJsonTest {
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

  @Example
  void theSourceOfATopicsRecordIsAllThatCameAlongWithIt() {
    Origin.Header header = new Origin.Header("tenant", Samples.bytes("t-1"));
    assertThat(
        DeadLetterJson.line(deadLetter(Samples.ofTopic("{", Samples.bytes("a"), header), null)),
        containsString(
            "\"source\":{\"topic\":\"orders\",\"partition\":3,\"offset\":1000,"
                + "\"timestamp\":\"2026-07-04T11:59:00.000Z\",\"key\":\"a\","
                + "\"headers\":[{\"name\":\"tenant\",\"value\":\"t-1\"}],\"tombstone\":false}"));
  }

  @Example
  void theSourceOfAMessageIsAllThatCameAlongWithIt() {
    RawRecord message = Samples.ofSubscription("{", "a", Map.of("tenant", "t-1", "id", "7"));
    assertThat(
        DeadLetterJson.line(deadLetter(message, null)),
        containsString(
            "\"source\":{\"pubsub\":\"projects/p-1/subscriptions/orders\",\"messageId\":\"77\","
                + "\"timestamp\":\"2026-07-04T11:59:00.000Z\",\"orderingKey\":\"a\","
                + "\"attributes\":{\"id\":\"7\",\"tenant\":\"t-1\"}}"));
  }

  @Property
  void aMessageComesBackFromTheLineAndFromItsCoder(
      @ForAll String data, @ForAll @WithNull @Nullable String orderingKey, @ForAll String value)
      throws CoderException {
    RawRecord message =
        Samples.ofSubscription(
            Messages.wellFormed(data),
            orderingKey == null ? null : Messages.wellFormed(orderingKey),
            Map.of("x", Messages.wellFormed(value), "y", ""));
    DeadLetter deadLetter = deadLetter(message, null);
    assertThat(parse(DeadLetterJson.line(deadLetter)), is(deadLetter));
    assertThat(CoderUtils.clone(DeadLetterCoder.of(), deadLetter), is(deadLetter));
  }

  @Example
  void aTombstoneComesBackFromTheLine() {
    DeadLetter tombstone = deadLetter(Samples.tombstone(), null);
    assertThat(parse(DeadLetterJson.line(tombstone)), is(tombstone));
  }

  @Property
  void aTopicsRecordComesBackFromTheLineAndFromItsCoder(
      @ForAll byte[] value,
      @ForAll @WithNull byte @Nullable [] key,
      @ForAll @WithNull byte @Nullable [] header)
      throws CoderException {
    Origin.Header first = new Origin.Header("h", header == null ? null : new Bytes(header));
    Origin.Header second = new Origin.Header("h", Samples.bytes("x"));
    RawRecord raw = Samples.ofTopic("", key == null ? null : new Bytes(key), first, second);
    DeadLetter deadLetter = deadLetter(new RawRecord(value, raw.origin(), raw.arrivedAt()), null);
    assertThat(parse(DeadLetterJson.line(deadLetter)), is(deadLetter));
    assertThat(CoderUtils.clone(DeadLetterCoder.of(), deadLetter), is(deadLetter));
  }

  @Property
  void bytesComeBackFromTheLine(@ForAll byte[] bytes) {
    assertComesBack(bytes);
  }

  @Property
  void textComesBackFromTheLine(@ForAll String text) {
    assertComesBack(text.getBytes(UTF_8));
  }

  @Property
  void theDeadLetterComesBackFromTheLine(
      @ForAll byte[] bytes,
      @ForAll Reason reason,
      @ForAll String message,
      @ForAll @WithNull @Nullable String exception,
      @ForAll @IntRange(min = 1) int attempts) {
    DeadLetter deadLetter =
        new DeadLetter(
            reason,
            Messages.wellFormed(message),
            exception == null ? null : Messages.wellFormed(exception),
            Samples.raw(bytes),
            "sample",
            "3",
            attempts);
    assertThat(parse(DeadLetterJson.line(deadLetter)), is(deadLetter));
  }

  @Property(tries = 5_000)
  void aDamagedLineIsRefusedOrStillOneDeadLetter(
      @ForAll @IntRange(max = 300) int position, @ForAll byte changed) {
    byte[] line = DeadLetterJson.line(deadLetter(Samples.raw("no"), "e")).getBytes(UTF_8);
    line[position % line.length] = changed;
    try {
      assertThat(DeadLetterJson.parse(line).attempts(), is(greaterThan(0)));
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage(), is(not(emptyOrNullString())));
    }
  }

  @Example
  void whatIsWrongWithALineIsNamed() {
    String line = DeadLetterJson.line(deadLetter(Samples.raw("no"), null));
    assertRefused(line.replace("NOT_JSON", "OTHER"), "reason is not allowed");
    assertRefused(line.replace("\"raw\"", "\"rwa\""), "raw is missing");
    assertRefused(line.replace("\"raw\":\"no\"", "\"rawBase64\":\"?\""), "rawBase64 is not");
    assertRefused(line.replace("\"attempts\":1", "\"attempts\":0"), "attempts is not allowed");
    assertRefused(line.substring(1), "not one well-formed JSON object");
    assertRefused("[]", "not a JSON object");
  }

  private static void assertRefused(String line, String problem) {
    String message = assertThrows(IllegalArgumentException.class, () -> parse(line)).getMessage();
    assertThat(message, startsWith(problem));
  }

  private static DeadLetter parse(String line) {
    return DeadLetterJson.parse(line.getBytes(UTF_8));
  }

  private static void assertComesBack(byte[] bytes) {
    String line = DeadLetterJson.line(deadLetter(Samples.raw(bytes), null));
    assertThat(line, not(containsString("\n")));
    assertThat(parse(line).raw().bytes(), is(bytes));
  }

  private static DeadLetter deadLetter(RawRecord raw, @Nullable String exception) {
    return new DeadLetter(Reason.NOT_JSON, "malformed", exception, raw, "sample", "3", 1);
  }
}
