package dev.tidemark.benchmarks.flink;

import dev.tidemark.benchmarks.plain.Click;
import dev.tidemark.benchmarks.plain.ClickParser;
import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;
import org.jspecify.annotations.Nullable;

/** Parses records. */
final class ClickSchema extends AbstractDeserializationSchema<Click> {
  private final Job job;
  private transient @Nullable ClickParser parser;

  ClickSchema(Job job) {
    super(Click.class);
    this.job = job;
  }

  @Override
  public void open(InitializationContext context) {
    parser = ClickParser.of(job);
  }

  @Override
  public Click deserialize(byte[] record) throws IOException {
    return parser.parse(record, 0, record.length);
  }
}
