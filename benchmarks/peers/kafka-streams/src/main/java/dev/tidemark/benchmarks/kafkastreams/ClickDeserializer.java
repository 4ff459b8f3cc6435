package dev.tidemark.benchmarks.kafkastreams;

import dev.tidemark.benchmarks.plain.Click;
import dev.tidemark.benchmarks.plain.ClickParser;
import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.common.serialization.Deserializer;

/** Parses a record once, for its time and its fields. */
final class ClickDeserializer implements Deserializer<Click> {
  private final ClickParser parser;

  ClickDeserializer(Job job) {
    this.parser = ClickParser.of(job);
  }

  @Override
  public Click deserialize(String topic, byte[] record) {
    try {
      return parser.parse(record, 0, record.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
