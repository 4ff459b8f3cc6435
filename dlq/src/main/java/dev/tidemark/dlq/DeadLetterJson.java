package dev.tidemark.dlq;

import dev.tidemark.event.JsonLine;

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
}
