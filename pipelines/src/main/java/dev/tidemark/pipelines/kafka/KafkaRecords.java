package dev.tidemark.pipelines.kafka;

import dev.tidemark.event.Bytes;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.kafka.KafkaRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** Records of Kafka: as raw records with all that came along with them, and their text. */
final class KafkaRecords {
  private static final byte[] NO_VALUE = {};

  private KafkaRecords() {}

  static RawRecord raw(KafkaRecord<byte[], byte[]> record, Instant arrivedAt) {
    byte @Nullable [] value = record.getKV().getValue();
    Origin origin =
        new Origin.TopicRecord(
            record.getTopic(),
            record.getPartition(),
            record.getOffset(),
            Instant.ofEpochMilli(record.getTimestamp()),
            bytes(record.getKV().getKey()),
            headers(record.getHeaders()),
            value == null);
    return new RawRecord(value == null ? NO_VALUE : value, origin, arrivedAt);
  }

  /** Text as keys, values and headers have it. */
  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<Origin.Header> headers(@Nullable Headers headers) {
    List<Origin.Header> all = new ArrayList<>();
    if (headers != null) {
      for (Header header : headers) {
        all.add(new Origin.Header(header.key(), bytes(header.value())));
      }
    }
    return all;
  }

  private static @Nullable Bytes bytes(byte @Nullable [] array) {
    return array == null ? null : new Bytes(array);
  }
}
