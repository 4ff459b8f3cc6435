package dev.tidemark.benchmarks.flink;

import dev.tidemark.benchmarks.plain.Click;
import dev.tidemark.benchmarks.plain.ClickParser;
import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.jspecify.annotations.Nullable;

/** Parses lines. */
final class ParseClick extends RichMapFunction<String, Click> {
  private final Job job;
  private transient @Nullable ClickParser parser;

  ParseClick(Job job) {
    this.job = job;
  }

  @Override
  public void open(OpenContext context) {
    parser = ClickParser.of(job);
  }

  @Override
  public Click map(String line) throws IOException {
    return parser.parse(line);
  }
}
