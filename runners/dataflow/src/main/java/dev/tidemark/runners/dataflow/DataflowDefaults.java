package dev.tidemark.runners.dataflow;

import dev.tidemark.options.DetachedOptions;
import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.kafka.ClientSettings;
import dev.tidemark.pipelines.run.RunnerDefaults;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyChanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.runners.dataflow.DataflowPipelineJob;
import org.apache.beam.runners.dataflow.DataflowRunner;
import org.apache.beam.runners.dataflow.options.DataflowPipelineOptions;
import org.apache.beam.runners.dataflow.util.MonitoringUtil;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DataflowRunner as a run wants it: all but files is a stream, streams run on Streaming Engine, and
 * what the service would show of secrets is refused. Beam makes a bucket of its own where none is
 * given; this asks for one, since it holds the pipeline and is billed to somebody.
 */
public final class DataflowDefaults implements RunnerDefaults {
  private static final Logger LOG = LoggerFactory.getLogger(DataflowDefaults.class);

  /** The options that name files to read. */
  private static final List<String> FILES = List.of("input", "results", "deadLetters");

  private static final String GCP_TEMP = "gcpTempLocation";

  @Override
  public String runner() {
    return DataflowRunner.class.getSimpleName();
  }

  @Override
  public void apply(PipelineOptions options, Set<String> given) throws UsageException {
    DataflowPipelineOptions dataflow = options.as(DataflowPipelineOptions.class);
    checkPlace(dataflow, given);
    checkSecrets(options.as(RunOptions.class));
    if (replacesJob(options) && options.as(RunOptions.class).isOverwrite()) {
      throw new UsageException(
          "--overwrite: the job that --update replaces still writes there; leave it out");
    }
    if (!given.contains("appName")) {
      dataflow.setAppName("tidemark"); // the beginning of the job's name
    }
    if (!given.contains("streaming")) {
      dataflow.setStreaming(Collections.disjoint(given, FILES));
    }
    if (!given.contains("enableStreamingEngine")) {
      dataflow.setEnableStreamingEngine(dataflow.isStreaming());
    }
    if (isTemplate(dataflow)) { // which is for another process to start
      options.as(DetachedOptions.class).setDetached(true);
    }
  }

  /** The service's for a job that it runs; a template's when the template is there. */
  @Override
  public boolean outlivesCommand(PipelineOptions options) {
    return true;
  }

  @Override
  public boolean replacesJob(PipelineOptions options) {
    return options.as(DataflowPipelineOptions.class).isUpdate();
  }

  /** The service compares steps, and knows nothing of policies. */
  @Override
  public void checkStart(PipelineOptions options, Map<String, Policy> policies)
      throws UsageException {
    DataflowPipelineOptions dataflow = options.as(DataflowPipelineOptions.class);
    if (!dataflow.isUpdate() || isTemplate(dataflow)) {
      return;
    }
    try {
      Optional<List<Policy>> before = new RunningJob(dataflow).policies();
      if (before.isEmpty()) {
        LOG.warn("job {}: whether the policies go with it is not known", dataflow.getJobName());
        return;
      }
      List<String> problems =
          PolicyChanges.problems(
              dataflow.getRegion() + " named " + dataflow.getJobName(), before.get(), policies);
      UsageException.throwIfAny(problems);
    } catch (IOException e) {
      throw new UsageException(
          "--update: the service does not tell of its jobs: " + e.getMessage());
    }
  }

  @Override
  public Optional<String> whereabouts(PipelineResult running, PipelineOptions options) {
    DataflowPipelineOptions dataflow = options.as(DataflowPipelineOptions.class);
    if (isTemplate(dataflow)) {
      return Optional.of("template " + dataflow.getTemplateLocation());
    }
    String job = ((DataflowPipelineJob) running).getJobId();
    return Optional.of(
        "job %s, %s"
            .formatted(
                job,
                MonitoringUtil.getJobMonitoringPageURL(
                    dataflow.getProject(), dataflow.getRegion(), job)));
  }

  private static boolean isTemplate(DataflowPipelineOptions options) {
    return !isMissing(options.getTemplateLocation());
  }

  private static void checkPlace(DataflowPipelineOptions options, Set<String> given)
      throws UsageException {
    List<String> problems = new ArrayList<>();
    if (isMissing(options.getProject())) {
      problems.add("missing option --project, the Google Cloud project that runs and pays the job");
    }
    if (isMissing(options.getRegion())) {
      problems.add("missing option --region, where the job runs; allowed: europe-west1 say");
    }
    // Beam's own default for it makes a bucket, so only look where something is given.
    if (!given.contains(GCP_TEMP) && isMissing(options.getTempLocation())) {
      problems.add(
          "missing option --gcpTempLocation, where the job keeps its files; allowed:"
              + " gs://BUCKET/DIRECTORY");
    }
    UsageException.throwIfAny(problems);
    checkBucket(options, given.contains(GCP_TEMP) ? GCP_TEMP : "tempLocation");
  }

  private static void checkBucket(DataflowPipelineOptions options, String option)
      throws UsageException {
    String location =
        option.equals(GCP_TEMP) ? options.getGcpTempLocation() : options.getTempLocation();
    try {
      options.getPathValidator().validateOutputFilePrefixSupported(location);
    } catch (RuntimeException e) { // what a validator says no with is its own choice
      throw new UsageException("--" + option + "=" + location + ": " + e.getMessage());
    }
  }

  /** The service shows a job's options to all who may look at it. */
  private static void checkSecrets(RunOptions options) throws UsageException {
    List<String> problems = new ArrayList<>();
    checkSecrets("--consumerConfig", options.getConsumerConfig(), problems);
    checkSecrets("--producerConfig", options.getProducerConfig(), problems);
    UsageException.throwIfAny(problems);
  }

  private static void checkSecrets(
      String option, @Nullable List<String> settings, List<String> problems) {
    for (String name : ClientSettings.openSecrets(settings)) {
      problems.add(
          option
              + ": "
              + name
              + " would be shown among the job's options; put it into a properties file, and give"
              + " that");
    }
  }

  private static boolean isMissing(@Nullable String value) {
    return value == null || value.isEmpty();
  }
}
