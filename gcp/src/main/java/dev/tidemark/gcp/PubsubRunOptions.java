package dev.tidemark.gcp;

import java.util.List;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;
import org.jspecify.annotations.Nullable;

/** Which messages of Pub/Sub a run reads, and which topics it publishes to. */
public interface PubsubRunOptions extends PipelineOptions {

  @Description(
      "Pub/Sub subscription to read, projects/PROJECT/subscriptions/NAME, one message an event."
          + " The run goes on without end.")
  @Nullable String getSubscription();

  void setSubscription(@Nullable String subscription);

  @Description(
      "Pub/Sub topic to read in place of --subscription, projects/PROJECT/topics/NAME, by a new"
          + " subscription in --project: what is published from the start on. Nobody deletes that"
          + " subscription when the run ends, unless the runner does.")
  @Nullable String getInputTopic();

  void setInputTopic(@Nullable String topic);

  @Description(
      "Attribute that the watermark of Pub/Sub follows in place of the publish time: epoch"
          + " milliseconds or RFC 3339. Every message must have it.")
  @Nullable String getTimestampAttribute();

  void setTimestampAttribute(@Nullable String attribute);

  @Description(
      "Attribute that is the same for the same event, however often it was published. The runner"
          + " takes the second for a duplicate.")
  @Nullable String getIdAttribute();

  void setIdAttribute(@Nullable String attribute);

  @Description("Pub/Sub topic that every result is published to.")
  @Nullable String getOutputPubsubTopic();

  void setOutputPubsubTopic(@Nullable String topic);

  @Description("Pub/Sub topic for events that came too late.")
  @Nullable String getTooLatePubsubTopic();

  void setTooLatePubsubTopic(@Nullable String topic);

  @Description("Pub/Sub topic for dead letters.")
  @Nullable String getDeadLetterPubsubTopic();

  void setDeadLetterPubsubTopic(@Nullable String topic);

  /** Makes Beam know these options wherever this module is on the class path. */
  final class Registrar implements PipelineOptionsRegistrar {
    @Override
    public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
      return List.of(PubsubRunOptions.class);
    }
  }
}
