package dev.tidemark.dlq;

import dev.tidemark.event.RawRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that its policy cannot use, with everything needed to understand and replay it.
 *
 * @param reason why, in the fixed vocabulary
 * @param message why, for a person: names the field and what is allowed, never holds the whole
 *     record
 * @param exception the exception with its stack trace, where one was thrown
 * @param raw the record, byte for byte
 * @param metric the policy's metric
 * @param policyVersion the policy's version
 * @param attempts how often the record has been parsed, from 1
 */
public record DeadLetter(
    Reason reason,
    String message,
    @Nullable String exception,
    RawRecord raw,
    String metric,
    String policyVersion,
    int attempts) {

  /** The same, counting the attempts of the dead letter that its record was before. */
  public DeadLetter after(DeadLetter before) {
    return new DeadLetter(
        reason,
        message,
        exception,
        raw,
        metric,
        policyVersion,
        (int) Math.min(Integer.MAX_VALUE, before.attempts() + 1L));
  }
}
