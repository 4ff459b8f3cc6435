package dev.tidemark.options;

import java.util.List;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.Validation;

/** What a pipeline that replays dead letters needs to be told. */
public interface ReplayOptions extends DeadLetterFileOptions, DetachedOptions {

  @Description(
      "Directory with dead letters: that of a run, or its dead-letters/. All .ndjson files below"
          + " count.")
  @Validation.Required
  String getDeadLetters();

  void setDeadLetters(String directory);

  @Description("The policy file to parse by; dead letters of other metrics are left.")
  @Validation.Required
  List<String> getPolicy();

  void setPolicy(List<String> policies);

  @Description(
      "Directory that too-late/, dead-letters/ and severe/ are added to. May be that of the run.")
  @Validation.Required
  String getOutput();

  void setOutput(String directory);

  @Description("Only dead letters of these reasons.")
  List<String> getReason();

  void setReason(List<String> reasons);

  @Description("Only dead letters that arrived at this instant or later.")
  String getFrom();

  void setFrom(String instant);

  @Description("Only dead letters that arrived before this instant.")
  String getTo();

  void setTo(String instant);

  @Description("A record that fails more often than this goes to severe/; 5 by default.")
  @Default.Integer(5)
  int getMaxAttempts();

  void setMaxAttempts(int maxAttempts);

  @Description("Say what would happen, and write nothing.")
  @Default.Boolean(false)
  boolean isDryRun();

  void setDryRun(boolean dryRun);
}
