package dev.tidemark.pipelines.kafka;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.PipelineOptions;

/** What a source is told of the runner that reads it; not for users to give. */
public interface BatchingOptions extends PipelineOptions {
  /**
   * How many empty batches a reader of topics gives between its watermark and its first records: as
   * many elements as a bundle may have, where the runner passes no watermark on within a bundle.
   */
  @Default.Long(0)
  Long getEmptyBatches();

  void setEmptyBatches(Long emptyBatches);
}
