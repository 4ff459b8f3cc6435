package dev.tidemark.event;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where a record came from, exactly enough to find it again. */
public sealed interface Origin extends Serializable {

  /** The place as messages show it, {@code FILE:LINE} say. */
  String place();

  /**
   * A line of a file.
   *
   * @param file the file's full name
   * @param offset the position of the line's first byte (of the uncompressed content)
   * @param line the line's number from 1; null where the file was read in ranges
   */
  record FileLine(String file, long offset, @Nullable Long line) implements Origin {
    @Override
    public String place() {
      return line == null ? file + ": at byte " + offset : file + ":" + line;
    }
  }

  /**
   * A record of a topic, with all that came along with its value.
   *
   * @param timestamp as Kafka keeps it: the producer's or, by the topic's setting, the broker's
   * @param key null if the record has none
   * @param headers in order; a name may come several times
   * @param tombstone whether the record has no value at all, which is not an empty one
   */
  record TopicRecord(
      String topic,
      int partition,
      long offset,
      Instant timestamp,
      @Nullable Bytes key,
      List<Header> headers,
      boolean tombstone)
      implements Origin {

    public TopicRecord {
      headers = List.copyOf(headers);
    }

    @Override
    public String place() {
      return topic + "-" + partition + " at offset " + offset;
    }
  }

  /**
   * A header of a topic's record.
   *
   * @param value null if the header has none
   */
  record Header(String name, @Nullable Bytes value) implements Serializable {}

  /**
   * A message of Pub/Sub, with all that came along with its data.
   *
   * @param from the full name of the subscription that it was read from, or of the topic
   * @param messageId the service's own; the value of the id attribute where the source reads one
   * @param timestamp when it was published; the value of the timestamp attribute where the source
   *     reads one
   * @param orderingKey null if the message has none
   * @param attributes sorted by name
   */
  record Message(
      String from,
      @Nullable String messageId,
      Instant timestamp,
      @Nullable String orderingKey,
      Map<String, String> attributes)
      implements Origin {

    public Message {
      attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    @Override
    public String place() {
      return from + ": message " + messageId;
    }
  }

  /**
   * A step of Beam's own that could not handle the record.
   *
   * @param attempt what the step was about to do, in its own words
   */
  record Attempt(String attempt) implements Origin {
    @Override
    public String place() {
      return attempt;
    }
  }
}
