package dev.tidemark.options;

import java.util.List;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.Validation;

/** What to show of the dead letters. */
public interface DeadLettersOptions extends PipelineOptions {

  @Description(
      "Directories with dead letters: those of runs, or their dead-letters/ or severe/. All .ndjson"
          + " files below count.")
  @Validation.Required
  List<String> getDeadLetters();

  void setDeadLetters(List<String> directories);

  @Description("Only dead letters of these reasons.")
  List<String> getReason();

  void setReason(List<String> reasons);

  @Description("How many different messages to show of each reason; 3 by default.")
  @Default.Integer(3)
  int getSamples();

  void setSamples(int samples);

  @Description("Print one JSON object instead of a table.")
  @Default.Boolean(false)
  boolean isJson();

  void setJson(boolean json);
}
