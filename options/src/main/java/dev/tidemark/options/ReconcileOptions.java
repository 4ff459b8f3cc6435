package dev.tidemark.options;

import java.util.List;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.Validation;

/** What a pipeline that corrects results for too-late events needs to be told. */
public interface ReconcileOptions extends DeadLetterFileOptions, DetachedOptions {

  @Description(
      "Directories with the results of the policy: what a run wrote, and earlier corrections. All"
          + " .ndjson files below count.")
  @Validation.Required
  List<String> getResults();

  void setResults(List<String> directories);

  @Description("Directories with the whole too-late lane. All .ndjson files below count.")
  @Validation.Required
  List<String> getTooLate();

  void setTooLate(List<String> directories);

  @Description("The policy file that the results were made by.")
  @Validation.Required
  List<String> getPolicy();

  void setPolicy(List<String> policies);

  @Description(
      "Directory that corrections are added to under results/, and dead letters under"
          + " dead-letters/. May be that of the run.")
  @Validation.Required
  String getOutput();

  void setOutput(String directory);
}
