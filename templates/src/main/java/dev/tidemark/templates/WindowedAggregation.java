package dev.tidemark.templates;

import dev.tidemark.pipelines.TidemarkCommand;
import java.util.stream.Stream;

/** Windowed_Aggregation: the run command over a stream. */
public final class WindowedAggregation {
  private WindowedAggregation() {}

  public static void main(String[] args) {
    TidemarkCommand.main(Stream.concat(Stream.of("run"), Stream.of(args)).toArray(String[]::new));
  }
}
