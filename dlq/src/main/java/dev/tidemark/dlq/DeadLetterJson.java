package dev.tidemark.dlq;

import dev.tidemark.event.JsonFields;
import dev.tidemark.event.JsonLine;
import dev.tidemark.event.RawRecord;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The dead-letter line: what the dead-letter files hold, and what a replay reads. */
public final class DeadLetterJson {
  private DeadLetterJson() {}

  /**
   * One line of NDJSON. The record stands under {@code raw} as text, or under {@code rawBase64}
   * where it is not UTF-8; either gives back its very bytes.
   */
  public static String line(DeadLetter deadLetter) {
    return JsonLine.of(
        json -> {
          json.writeStringField("reason", deadLetter.reason().name());
          json.writeStringField("message", deadLetter.message());
          json.writeStringField("exception", deadLetter.exception());
          JsonLine.writeRaw(json, "raw", deadLetter.raw().bytes());
          JsonLine.writeOrigin(json, deadLetter.raw().origin());
          JsonLine.writeInstant(json, "arrivedAt", deadLetter.raw().arrivedAt());
          json.writeStringField("metric", deadLetter.metric());
          json.writeStringField("policyVersion", deadLetter.policyVersion());
          json.writeNumberField("attempts", deadLetter.attempts());
        });
  }

  /**
   * The dead letter that a line holds.
   *
   * @param line in UTF-8, without the line's end
   * @throws IllegalArgumentException naming the field and what is allowed, if it is no such line
   */
  public static DeadLetter parse(byte[] line) {
    JsonFields fields = JsonFields.of(text(line));
    return new DeadLetter(
        fields.oneOf(Reason.class, "reason"),
        fields.text("message"),
        fields.textOrNull("exception"),
        new RawRecord(fields.raw("raw"), fields.origin(), fields.instant("arrivedAt")),
        fields.text("metric"),
        fields.text("policyVersion"),
        attempts(fields));
  }

  /** Strict: a damaged line must not pass with other bytes than it was written with. */
  private static String text(byte[] line) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8", e);
    }
  }

  private static int attempts(JsonFields fields) {
    long attempts = fields.count("attempts");
    if (attempts < 1 || attempts > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "attempts is not allowed; allowed: 1 to " + Integer.MAX_VALUE);
    }
    return (int) attempts;
  }
}
