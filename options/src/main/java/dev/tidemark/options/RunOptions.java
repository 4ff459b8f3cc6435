package dev.tidemark.options;

import java.util.List;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.Validation;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline that aggregates files or topics needs to be told besides what its policies say.
 */
public interface RunOptions extends DeadLetterFileOptions, DetachedOptions, KafkaSinkOptions {

  @Description("Policy files; several share one reading of the input.")
  @Validation.Required
  List<String> getPolicy();

  void setPolicy(List<String> policies);

  @Description(
      "Files to read, one record a line; globs (*, ?, [a-z], **) on any file system that Beam knows."
          + " By their extension, .gz, .bz2 and .zst files are decompressed. Give this, or a topic.")
  @Nullable List<String> getInput();

  void setInput(@Nullable List<String> globs);

  @Description("Kafka topics to read, one record an event. The run goes on without end.")
  @Nullable List<String> getTopic();

  void setTopic(@Nullable List<String> topics);

  @Description(
      "A regular expression in place of --topic: the topics whose whole names match at the start.")
  @Nullable String getTopicPattern();

  void setTopicPattern(@Nullable String regex);

  @Description(
      "Settings of Kafka's consumer, name=value or a properties file each: group.id, security and"
          + " the rest. With a group.id, offsets are committed.")
  @Nullable List<String> getConsumerConfig();

  void setConsumerConfig(@Nullable List<String> settings);

  @Description(
      "Where to begin in the topics: earliest (if nothing is given), latest, committed (what the group has not read), or"
          + " an instant as 2026-07-04T10:00:00Z, of Kafka's own timestamps.")
  @Nullable String getStartFrom();

  void setStartFrom(@Nullable String start);

  @Description(
      "End a run over topics after this time, 1m say: nothing more is read, and all windows fire.")
  @Nullable String getStopAfter();

  void setStopAfter(@Nullable String duration);

  @Description("Directory that results/, too-late/ and dead-letters/ are written to.")
  @Nullable String getOutput();

  void setOutput(@Nullable String directory);

  @Description(
      "Give each result its accumulators too, so that reconcile can correct it for every aggregate."
          + " Makes each result as large as the state of its window.")
  @Default.Boolean(false)
  boolean isWithAccumulators();

  void setWithAccumulators(boolean withAccumulators);

  @Description(
      "First delete what runs and replays wrote to the output directory, which must otherwise be"
          + " empty.")
  @Default.Boolean(false)
  boolean isOverwrite();

  void setOverwrite(boolean overwrite);

  @Description(
      "Fail as soon as more than this share of a policy's latest records, 0.2 say, are dead"
          + " letters.")
  @Nullable Double getMaxDeadLetterRatio();

  void setMaxDeadLetterRatio(@Nullable Double ratio);

  @Description("How many of the latest records --maxDeadLetterRatio judges, at least.")
  @Default.Long(10_000)
  long getDeadLetterRatioOver();

  void setDeadLetterRatioOver(long records);
}
