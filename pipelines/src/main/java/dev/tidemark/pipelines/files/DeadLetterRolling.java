package dev.tidemark.pipelines.files;

import dev.tidemark.options.DeadLetterFileOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Durations;
import java.util.Collection;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.joda.time.Duration;

/**
 * When a file of dead letters is closed and the next one begun; see {@link NdjsonFiles#rollingAt}.
 *
 * @param bytes at this size; 0 for never, so that there is one file for each reason and hour
 * @param every of unbounded dead letters, after this time
 */
public record DeadLetterRolling(long bytes, Duration every) {

  /**
   * What the options say.
   *
   * @throws UsageException naming the option that is wrong
   */
  public static DeadLetterRolling of(DeadLetterFileOptions options) throws UsageException {
    long bytes = options.getDeadLetterRollBytes();
    if (bytes < 0) {
      throw new UsageException("--deadLetterRollBytes=" + bytes + ": must be 0 or more");
    }
    return new DeadLetterRolling(bytes, every(options.getDeadLetterRollEvery()));
  }

  private static Duration every(String given) throws UsageException {
    java.time.Duration every = Durations.parse(given);
    if (every == null || every.isZero()) {
      throw new UsageException(
          "--deadLetterRollEvery=" + given + ": must be a duration of more than 0, 5m say");
    }
    return Duration.millis(every.toMillis());
  }

  /** As many files of that size as there would be, were all that is in these dead letters. */
  public int filesOf(Collection<Metadata> read) {
    long size = read.stream().mapToLong(Metadata::sizeBytes).sum();
    return bytes == 0 ? 1 : Math.toIntExact(size / bytes + 1);
  }
}
