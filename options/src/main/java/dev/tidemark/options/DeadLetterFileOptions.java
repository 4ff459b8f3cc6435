package dev.tidemark.options;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** How large files of dead letters become. */
public interface DeadLetterFileOptions extends PipelineOptions {

  @Description(
      "Close a file of dead letters at about this size in bytes and begin another; 0 for never.")
  @Default.Long(16 << 20)
  long getDeadLetterRollBytes();

  void setDeadLetterRollBytes(long bytes);

  @Description(
      "Where the input does not end, close a file of dead letters after this time, 5m say, if it is"
          + " not full before.")
  @Default.String("1m")
  String getDeadLetterRollEvery();

  void setDeadLetterRollEvery(String duration);
}
