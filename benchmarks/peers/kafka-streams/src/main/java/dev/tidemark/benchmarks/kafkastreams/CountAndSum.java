package dev.tidemark.benchmarks.kafkastreams;

import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/** How many clicks, and of how many bytes. */
record CountAndSum(long count, long sum) {
  static final CountAndSum NONE = new CountAndSum(0, 0);

  static final Serde<CountAndSum> SERDE =
      Serdes.serdeFrom(
          (topic, value) -> value == null ? null : value.bytes(),
          (topic, bytes) -> bytes == null ? null : of(ByteBuffer.wrap(bytes)));

  private byte[] bytes() {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(count).putLong(sum).array();
  }

  private static CountAndSum of(ByteBuffer bytes) {
    return new CountAndSum(bytes.getLong(), bytes.getLong());
  }

  CountAndSum plus(long bytes) {
    return new CountAndSum(count + 1, sum + bytes);
  }
}
