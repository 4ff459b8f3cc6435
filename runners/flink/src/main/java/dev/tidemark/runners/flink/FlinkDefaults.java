package dev.tidemark.runners.flink;

import dev.tidemark.options.DetachedOptions;
import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.kafka.BatchingOptions;
import dev.tidemark.pipelines.run.RunnerDefaults;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyChanges;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import org.jspecify.annotations.Nullable;
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

  /** Beam's, of streams. */
  private static final long BUNDLE_SIZE = 1000;

  /** A fraction of a second's; larger bundles end by time. */
  private static final long MOST_EMPTY_BATCHES = 100_000;

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
    if (replacesJob(options) && options.as(RunOptions.class).isOverwrite()) {
      throw new UsageException(
          "--overwrite: the run goes on with what the job before wrote there; leave it out");
    }
    checkState(flink);
    checkCopies(flink);
    if (FlinkCluster.isRemote(flink.getFlinkMaster())) {
      FlinkCluster.check(flink.getFlinkMaster());
    }
    setUnlessGiven(flink, given);
    long bundle = given.contains("maxBundleSize") ? flink.getMaxBundleSize() : BUNDLE_SIZE;
    flink.as(BatchingOptions.class).setEmptyBatches(Math.min(bundle, MOST_EMPTY_BATCHES));
    DetachedOptions run = options.as(DetachedOptions.class);
    run.setDetached(run.isDetached() || FlinkCluster.isFlinkRunDetached());
    flink.setAttachedMode(!run.isDetached());
  }

  @Override
  public boolean outlivesCommand(PipelineOptions options) {
    return FlinkCluster.isFlinkRun()
        || FlinkCluster.isRemote(options.as(FlinkPipelineOptions.class).getFlinkMaster());
  }

  /** A JobManager that starts again calls the command again, too. */
  @Override
  public boolean replacesJob(PipelineOptions options) {
    return savepoint(options) != null || FlinkCluster.isApplication();
  }

  @Override
  public void checkStart(PipelineOptions options, Map<String, Policy> policies)
      throws UsageException {
    String savepoint = savepoint(options);
    if (savepoint == null) {
      return;
    }
    checkPolicies(savepoint, policies);
    if (!outlivesCommand(options)) {
      LocalSavepoint.configure(options.as(FlinkPipelineOptions.class));
    }
  }

  /** What the run goes on from; null if it begins anew. */
  private static @Nullable String savepoint(PipelineOptions options) {
    return FlinkCluster.isFlinkRun()
        ? FlinkCluster.savepoint()
        : options.as(FlinkPipelineOptions.class).getSavepointPath();
  }

  /**
   * Flink itself refuses a savepoint that it needs and cannot read. It may not need it: a
   * JobManager that starts again goes on from a later checkpoint.
   */
  private static void checkPolicies(String savepoint, Map<String, Policy> policies)
      throws UsageException {
    try {
      List<String> problems =
          PolicyChanges.problems(savepoint, Savepoint.policies(savepoint), policies);
      UsageException.throwIfAny(problems);
    } catch (IOException e) {
      if (!FlinkCluster.isFlinkRun() && !(e instanceof UnsupportedFileSystemSchemeException)) {
        throw new UsageException(
            "--savepointPath="
                + savepoint
                + ": no checkpoint or savepoint can be read there; allowed: its directory, which has"
                + " a file _metadata");
      }
      LOG.warn("{} cannot be read here: whether the policies go with it is not known", savepoint);
    }
  }

  private static void checkState(FlinkPipelineOptions flink) throws UsageException {
    if ((flink.getStateBackend() == null) != (flink.getStateBackendStoragePath() == null)) {
      throw new UsageException(
          "--stateBackend and --stateBackendStoragePath, the directory of the checkpoints, go"
              + " together; give both or none");
    }
  }

  /**
   * A snapshot is written while the job goes on, and so needs a copy of what an aggregate changes.
   */
  private static void checkCopies(FlinkPipelineOptions flink) throws UsageException {
    if (flink.getFasterCopy()) {
      throw new UsageException(
          "--fasterCopy: a checkpoint would hold some of what came after it; leave it out, elements"
              + " are not copied between steps anyway");
    }
  }

  private static void setUnlessGiven(FlinkPipelineOptions flink, Set<String> given) {
    if (!given.contains("objectReuse")) {
      flink.setObjectReuse(true);
    }
    if (!given.contains("autoWatermarkInterval")) {
      flink.setAutoWatermarkInterval(WATERMARK_MILLIS);
    }
    if (!given.contains("checkpointingInterval")) {
      flink.setCheckpointingInterval(CHECKPOINT_MILLIS);
    }
    // Or Flink keeps what a bundle gives at its end, where a checkpoint ends it, until the next
    // element comes or the watermark goes on: the last events of a quiet stream would not be seen.
    if (!given.contains("finishBundleBeforeCheckpointing")) {
      flink.setFinishBundleBeforeCheckpointing(true);
    }
    if (!given.contains("externalizedCheckpointsEnabled")) {
      flink.setExternalizedCheckpointsEnabled(true);
    }
    if (!given.contains("retainExternalizedCheckpointsOnCancellation")) {
      flink.setRetainExternalizedCheckpointsOnCancellation(true);
    }
  }
}
