package dev.tidemark.testkit.dataflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.testkit.gcs.GcsServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.beam.model.pipeline.v1.RunnerApi;

/**
 * A job as it is submitted, or as a template file has it.
 *
 * @param json a {@code Job} of the API
 */
public record JobRequest(JsonNode json) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads a template file. */
  public static JobRequest parse(byte[] file) throws IOException {
    return new JobRequest(JSON.readTree(file));
  }

  /** {@code JOB_TYPE_STREAMING} or {@code JOB_TYPE_BATCH}. */
  public String type() {
    return json.at("/type").asText();
  }

  /** Among them whether Streaming Engine is wanted. */
  public List<String> experiments() {
    return texts(json.at("/environment/experiments"));
  }

  /** The full names of the steps, in the job's order. */
  public List<String> steps() {
    return nodes(json.at("/steps")).stream().map(JobRequest::name).toList();
  }

  /** The values that the service shows for a pipeline option: several where it is a list. */
  public List<String> option(String name) {
    JsonNode value = json.at("/environment/sdkPipelineOptions/options").path(name);
    return value.isArray() ? texts(value) : List.of(value.asText());
  }

  /** Where the files are that the workers need: {@code gs://BUCKET/OBJECT}. */
  public List<String> stagedFiles() {
    return json.at("/environment/workerPools").findValuesAsText("location");
  }

  /** The pipeline as Beam's model has it, which is staged too. */
  public RunnerApi.Pipeline pipeline(GcsServer storage) throws IOException {
    return RunnerApi.Pipeline.parseFrom(storage.content(option("pipelineUrl").get(0)));
  }

  /**
   * How the windows of the pipeline fire, each once: accumulation mode, allowed lateness, trigger.
   */
  public List<String> windowingStrategies(GcsServer storage) throws IOException {
    return pipeline(storage).getComponents().getWindowingStrategiesMap().values().stream()
        .map(
            strategy ->
                strategy.getAccumulationMode()
                    + " "
                    + Duration.ofMillis(strategy.getAllowedLateness())
                    + " "
                    + strategy.getTrigger().getTriggerCase())
        .distinct()
        .sorted()
        .toList();
  }

  /** The name that the service has for the first step whose full name begins so. */
  String stepBelow(String prefix) {
    return nodes(json.at("/steps")).stream()
        .filter(step -> name(step).startsWith(prefix))
        .map(step -> step.at("/name").asText())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the job has no step " + prefix));
  }

  private static String name(JsonNode step) {
    return step.at("/properties/user_name/value").asText();
  }

  private static List<String> texts(JsonNode array) {
    return nodes(array).stream().map(JsonNode::asText).toList();
  }

  private static List<JsonNode> nodes(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }
}
