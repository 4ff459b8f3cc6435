package dev.tidemark.options;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** Whether a command waits for its pipeline. */
public interface DetachedOptions extends PipelineOptions {

  @Description("End the command once the cluster has the pipeline, which then runs on by itself.")
  @Default.Boolean(false)
  boolean isDetached();

  void setDetached(boolean detached);
}
