package dev.tidemark.event;

import java.util.List;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record that has everything its policy needs.
 *
 * @param key the values of the policy's key fields
 * @param timestamp the time that the policy's clock reads
 * @param values for each aggregate of the policy, in its order, the value of the field that it
 *     reads; null where the aggregate reads none
 * @param raw the record as it came
 */
public record Event(
    EventKey key, Instant timestamp, List<@Nullable Scalar> values, RawRecord raw) {}
