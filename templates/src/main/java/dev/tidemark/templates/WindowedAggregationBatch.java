package dev.tidemark.templates;

import dev.tidemark.pipelines.TidemarkCommand;
import java.util.stream.Stream;

/** Windowed_Aggregation_Batch: the run command over files. */
public final class WindowedAggregationBatch {
  private WindowedAggregationBatch() {}

  public static void main(String[] args) {
    TidemarkCommand.main(Stream.concat(Stream.of("run"), Stream.of(args)).toArray(String[]::new));
  }
}
