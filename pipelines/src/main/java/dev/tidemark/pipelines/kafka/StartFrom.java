package dev.tidemark.pipelines.kafka;

import dev.tidemark.pipelines.UsageException;
import java.io.Serializable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Where to begin in a partition that no checkpoint tells of. */
sealed interface StartFrom extends Serializable {

  /** Moves the consumer there in its partitions. */
  void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions);

  /**
   * Reads {@code --startFrom}.
   *
   * @param text null for the earliest
   * @throws UsageException if it is none of the forms
   */
  static StartFrom parse(@Nullable String text) throws UsageException {
    if (text == null) {
      return new Earliest();
    }
    return switch (text) {
      case "earliest" -> new Earliest();
      case "latest" -> new Latest();
      case "committed" -> new Committed();
      default -> new At(instant(text));
    };
  }

  private static Instant instant(String text) throws UsageException {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw new UsageException(
          "--startFrom=" + text + ": must be earliest, latest, committed or 2026-07-04T10:00:00Z");
    }
  }

  /** At the first record that is kept. */
  record Earliest() implements StartFrom {
    @Override
    public void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
      consumer.seekToBeginning(partitions);
    }
  }

  /** Behind the last record. */
  record Latest() implements StartFrom {
    @Override
    public void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
      consumer.seekToEnd(partitions);
    }
  }

  /** Where the consumer group has come to. */
  record Committed() implements StartFrom {
    @Override
    public void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
      // A consumer begins there by itself.
    }
  }

  /**
   * At the first record whose Kafka timestamp is not before the instant; without one behind the
   * last.
   */
  record At(Instant instant) implements StartFrom {
    @Override
    public void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
      Map<TopicPartition, Long> times = new HashMap<>();
      partitions.forEach(partition -> times.put(partition, instant.toEpochMilli()));
      Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
      consumer.seekToEnd(partitions);
      found.forEach(
          (partition, offset) -> {
            if (offset != null) {
              consumer.seek(partition, offset.offset());
            }
          });
    }
  }
}
