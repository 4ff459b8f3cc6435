package dev.tidemark.pipelines.simulate;

import dev.tidemark.event.RawRecord;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one line of an events file brings about.
 *
 * @param label the line's number, or {@code end} after the last line
 * @param text the line
 * @param arrival the record that arrives; null where none does
 * @param eventTime the arrival's time by the policy's clock; null for a dead letter
 * @param watermark the watermark after the step
 * @param now the wall clock during the step
 */
record Step(
    String label,
    String text,
    @Nullable RawRecord arrival,
    @Nullable Instant eventTime,
    Instant watermark,
    Instant now) {

  /** Whether this is the step after the last line, which moves the watermark to infinity. */
  boolean isEnd() {
    return !watermark.isBefore(BoundedWindow.TIMESTAMP_MAX_VALUE);
  }
}
