package dev.tidemark.transforms;

import dev.tidemark.event.EventKey;
import java.util.List;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One firing of one key and window, as the result contract states it.
 *
 * @param key the values of the policy's key fields
 * @param window the window; null for the global window
 * @param kind what the result says about its window
 * @param firingSequence counts the firings of the key and window from 1; of a retraction, the
 *     firing that it takes back
 * @param isLast whether nothing further can come for the key and window
 * @param watermark the highest watermark that the firing proves; null for EARLY and for the global
 *     window
 * @param computedAt when the result was computed, by the wall clock
 * @param value for each aggregate of the policy, in its order: a number, a scalar, a list of
 *     counted values, or null where the window gave none
 * @param supersedes the sessions that this result's session replaced; empty otherwise
 * @param accumulators what the value was read from, for later merges: the bytes of {@code
 *     AccumulatorsCoder} in base64; null where they were not asked for, and of a retraction
 * @param corrects of a correction, the ids of the results that it replaces; empty otherwise
 */
public record WindowResult(
    EventKey key,
    @Nullable ResultWindow window,
    ResultKind kind,
    long firingSequence,
    boolean isLast,
    @Nullable Instant watermark,
    Instant computedAt,
    List<@Nullable AggregateValue> value,
    List<ResultWindow> supersedes,
    @Nullable String accumulators,
    List<String> corrects) {

  /** The result that takes this one back, by reason of {@code cause}. */
  public WindowResult retractedBy(WindowResult cause) {
    return new WindowResult(
        key,
        window,
        ResultKind.RETRACTION,
        firingSequence,
        false,
        cause.watermark,
        cause.computedAt,
        value,
        List.of(),
        null,
        List.of());
  }

  /** The same result, too small to be merged with anything. */
  WindowResult withoutAccumulators() {
    return new WindowResult(
        key,
        window,
        kind,
        firingSequence,
        isLast,
        watermark,
        computedAt,
        value,
        supersedes,
        null,
        corrects);
  }

  /** The same result, replacing these sessions. */
  public WindowResult superseding(List<ResultWindow> sessions) {
    return new WindowResult(
        key,
        window,
        kind,
        firingSequence,
        isLast,
        watermark,
        computedAt,
        value,
        sessions,
        accumulators,
        corrects);
  }
}
