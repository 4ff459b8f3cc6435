package dev.tidemark.templates;

/** Windowed_Aggregation_Batch: the run command over files. */
public final class WindowedAggregationBatch {
  private WindowedAggregationBatch() {}

  public static void main(String[] args) {
    Launcher.launch("run", args);
  }
}
