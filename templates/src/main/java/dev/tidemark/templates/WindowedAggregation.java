package dev.tidemark.templates;

/** Windowed_Aggregation: the run command over a stream. */
public final class WindowedAggregation {
  private WindowedAggregation() {}

  public static void main(String[] args) {
    Launcher.launch("run", args);
  }
}
