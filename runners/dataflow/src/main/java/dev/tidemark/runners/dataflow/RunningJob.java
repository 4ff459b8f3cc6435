package dev.tidemark.runners.dataflow;

import com.google.api.services.dataflow.Dataflow.Projects.Locations.Jobs;
import com.google.api.services.dataflow.model.Environment;
import com.google.api.services.dataflow.model.Job;
import com.google.api.services.dataflow.model.ListJobsResponse;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.kafka.PoliciesInForce;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.runners.dataflow.options.DataflowPipelineOptions;
import org.jspecify.annotations.Nullable;

/** The job that an update replaces, as the service knows it. */
final class RunningJob {
  private final Jobs jobs;
  private final DataflowPipelineOptions options;

  /**
   * @param options of the update, with the job's project, region and name
   */
  RunningJob(DataflowPipelineOptions options) {
    this.jobs = options.getDataflowClient().projects().locations().jobs();
    this.options = options;
  }

  /**
   * The policies that it goes by; empty if it does not say, or not in a way that this build reads.
   *
   * @throws UsageException if no such job runs
   * @throws IOException if the service does not answer
   */
  Optional<List<Policy>> policies() throws UsageException, IOException {
    Environment environment =
        jobs.get(options.getProject(), options.getRegion(), id())
            .setView("JOB_VIEW_ALL")
            .execute()
            .getEnvironment();
    if (environment == null || environment.getSdkPipelineOptions() == null) {
      return Optional.empty();
    }
    Object given = environment.getSdkPipelineOptions().get("options");
    Object serialized = given instanceof Map<?, ?> named ? named.get(PoliciesInForce.OPTION) : null;
    return serialized == null ? Optional.empty() : decoded(serialized.toString());
  }

  private static Optional<List<Policy>> decoded(String serialized) {
    try {
      return Optional.of(PoliciesInForce.decode(serialized));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // of another build
    }
  }

  private String id() throws UsageException, IOException {
    @Nullable String page = null;
    do {
      ListJobsResponse answer =
          jobs.list(options.getProject(), options.getRegion())
              .setFilter("ACTIVE")
              .setPageToken(page)
              .execute();
      for (Job job : answer.getJobs() == null ? List.<Job>of() : answer.getJobs()) {
        if (options.getJobName().equals(job.getName())) {
          return job.getId();
        }
      }
      page = answer.getNextPageToken();
    } while (page != null);
    throw new UsageException(
        "--update: no job named "
            + options.getJobName()
            + " runs in "
            + options.getRegion()
            + "; allowed: the --jobName of one that does");
  }
}
