package dev.tidemark.runners.flink;

import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.run.RunnerDefaults;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyChanges;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * FlinkRunner as a run wants it: state is checkpointed, checkpoints with a place of their own
 * outlive the job, and elements are not copied between steps, which none of ours changes.
 */
public final class FlinkDefaults implements RunnerDefaults {
  private static final Logger LOG = LoggerFactory.getLogger(FlinkDefaults.class);
  private static final long CHECKPOINT_MILLIS = 10_000;
  private static final long WATERMARK_MILLIS = 200;

  @Override
  public String runner() {
    return FlinkRunner.class.getSimpleName();
  }

  @Override
  public void apply(PipelineOptions options, Set<String> given) throws UsageException {
    FlinkPipelineOptions flink = options.as(FlinkPipelineOptions.class);
    if (given.contains("maxDeadLetterRatio")) {
      throw new UsageException(
          "--maxDeadLetterRatio: FlinkRunner tells its counters at the end only, too late to stop");
    }
    if (FlinkCluster.isFlinkRun() && flink.getSavepointPath() != null) {
      throw new UsageException(
          "--savepointPath: under flink run, Flink takes it; allowed: flink run --fromSavepoint");
    }
    checkState(flink);
    if (FlinkCluster.isRemote(flink.getFlinkMaster())) {
      FlinkCluster.check(flink.getFlinkMaster());
    }
    setUnlessGiven(flink, given);
    RunOptions run = options.as(RunOptions.class);
    run.setDetached(run.isDetached() || FlinkCluster.isFlinkRunDetached());
    flink.setAttachedMode(!run.isDetached());
  }

  @Override
  public boolean outlivesCommand(PipelineOptions options) {
    return FlinkCluster.isFlinkRun()
        || FlinkCluster.isRemote(options.as(FlinkPipelineOptions.class).getFlinkMaster());
  }

  @Override
  public void checkStart(PipelineOptions options, Map<String, Policy> policies)
      throws UsageException {
    FlinkPipelineOptions flink = options.as(FlinkPipelineOptions.class);
    String savepoint =
        FlinkCluster.isFlinkRun() ? FlinkCluster.savepoint() : flink.getSavepointPath();
    if (savepoint == null) {
      return;
    }
    checkPolicies(savepoint, policies);
    if (!outlivesCommand(options)) {
      LocalSavepoint.configure(flink);
    }
  }

  private static void checkPolicies(String savepoint, Map<String, Policy> policies)
      throws UsageException {
    try {
      List<String> problems =
          PolicyChanges.problems(savepoint, Savepoint.policies(savepoint), policies);
      if (!problems.isEmpty()) {
        throw new UsageException(problems);
      }
    } catch (UnsupportedFileSystemSchemeException e) {
      LOG.warn(
          "{} cannot be read from here: whether the policies go with it is not known", savepoint);
    }
  }

  private static void checkState(FlinkPipelineOptions flink) throws UsageException {
    if ((flink.getStateBackend() == null) != (flink.getStateBackendStoragePath() == null)) {
      throw new UsageException(
          "--stateBackend and --stateBackendStoragePath, the directory of the checkpoints, go"
              + " together; give both or none");
    }
  }

  private static void setUnlessGiven(FlinkPipelineOptions flink, Set<String> given) {
    if (!given.contains("objectReuse")) {
      flink.setObjectReuse(true);
    }
    if (!given.contains("fasterCopy")) {
      flink.setFasterCopy(true);
    }
    if (!given.contains("autoWatermarkInterval")) {
      flink.setAutoWatermarkInterval(WATERMARK_MILLIS);
    }
    if (!given.contains("checkpointingInterval")) {
      flink.setCheckpointingInterval(CHECKPOINT_MILLIS);
    }
    if (!given.contains("externalizedCheckpointsEnabled")) {
      flink.setExternalizedCheckpointsEnabled(true);
    }
    if (!given.contains("retainExternalizedCheckpointsOnCancellation")) {
      flink.setRetainExternalizedCheckpointsOnCancellation(true);
    }
  }
}
