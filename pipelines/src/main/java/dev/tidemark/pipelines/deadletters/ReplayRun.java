package dev.tidemark.pipelines.deadletters;

import dev.tidemark.event.JsonFields;
import dev.tidemark.event.JsonLine;
import dev.tidemark.pipelines.files.LaneFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.files.WriteOnce;
import dev.tidemark.pipelines.run.Counts;
import dev.tidemark.pipelines.run.RunId;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.jspecify.annotations.Nullable;

/**
 * One replay of some files of dead letters, exactly once however often it is interrupted, repeated
 * or run beside others. It is a transaction, in files that are written once ({@link WriteOnce}):
 *
 * <ol>
 *   <li>{@code OUTPUT/replays/RUN/plan.json} names the files to replay.
 *   <li>Each is claimed ({@link Claims}). A file that another replay was first to claim is dropped.
 *   <li>The pipeline reads what is claimed and writes to a hidden directory of this attempt, {@code
 *       OUTPUT/.RUN/ATTEMPT}. Nobody takes what lies there for results or dead letters.
 *   <li>{@code committed.json} names the attempt. From here on the replay has happened.
 *   <li>The attempt's files move to their places in {@code OUTPUT}, and the hidden directory goes.
 *   <li>{@code done.json}.
 * </ol>
 *
 * <p>A replay that has a plan and is not done was interrupted: the next one over the same output
 * goes on with it. Each step may be repeated. Claims are never given up, so the files that a replay
 * has are the same in every attempt. An attempt that was not committed counts for nothing; one that
 * was is never made again, only its files moved on. Names of files have the run in them and not the
 * attempt, so a file that is moved twice is still one file.
 *
 * <p>Two processes that work on the same replay do no harm: both may run the pipeline, but one
 * commits, and both move the files of that attempt. On local disks a lock spares the work.
 */
final class ReplayRun {
  private static final String REPLAYS = "replays";
  private static final String PLAN = "plan.json";
  private static final String COMMITTED = "committed.json";
  private static final String DONE = "done.json";
  private static final String LOCK = ".lock";

  private final OutputDirectory output;
  private final String run;
  private final String metric;
  private final List<String> files;

  private ReplayRun(OutputDirectory output, String run, String metric, List<String> files) {
    this.output = output;
    this.run = run;
    this.metric = metric;
    this.files = List.copyOf(files);
  }

  /** A new replay of these files. */
  static ReplayRun of(OutputDirectory output, String metric, List<String> files) {
    return new ReplayRun(output, "replay-" + RunId.next(), metric, files);
  }

  /** The replays of a metric that an output has and that are not done, the oldest first. */
  static List<ReplayRun> unfinished(OutputDirectory output, String metric) throws IOException {
    Set<String> names = new HashSet<>();
    String replays = OutputDirectory.resource(output.lane(REPLAYS)).toString();
    for (Metadata file :
        FileSystems.match(replays + "*/*.json", EmptyMatchTreatment.ALLOW).metadata()) {
      names.add(file.resourceId().toString().substring(replays.length()));
    }
    List<ReplayRun> unfinished = new ArrayList<>();
    for (String plan : names.stream().filter(name -> name.endsWith("/" + PLAN)).sorted().toList()) {
      String run = plan.substring(0, plan.indexOf('/'));
      if (!names.contains(run + "/" + DONE)) {
        ReplayRun replay = read(output, run);
        if (replay.metric.equals(metric)) {
          unfinished.add(replay);
        }
      }
    }
    return unfinished;
  }

  private static ReplayRun read(OutputDirectory output, String run) throws IOException {
    String plan = WriteOnce.readIfAny(file(output, run, PLAN));
    if (plan == null) {
      throw new IOException(file(output, run, PLAN) + ": has gone");
    }
    JsonFields fields = JsonFields.of(plan);
    return new ReplayRun(output, run, fields.text("metric"), fields.texts("files"));
  }

  String run() {
    return run;
  }

  List<String> files() {
    return files;
  }

  /** Whether there are replays in an output, finished or not. */
  static boolean isOutputOfReplays(OutputDirectory output) throws IOException {
    String replays = OutputDirectory.resource(output.lane(REPLAYS)).toString();
    return !FileSystems.match(replays + "*/" + PLAN, EmptyMatchTreatment.ALLOW)
        .metadata()
        .isEmpty();
  }

  /**
   * Replays, from wherever it was interrupted, to the end.
   *
   * @return what became of the records; null if that was settled by an attempt of another process,
   *     now or before
   * @throws RunningException if another process is working on it
   */
  @Nullable Counts complete(ReplayPipeline pipeline) throws IOException, RunningException {
    try (RunLock lock = RunLock.tryLock(file(output, run, LOCK))) {
      if (lock == null) {
        throw new RunningException();
      }
      writePlan(pipeline.policy());
      String attempt = committedAttempt();
      Counts counts = null;
      if (attempt == null) {
        String own = UUID.randomUUID().toString();
        counts = attempt(pipeline, own);
        attempt = commit(own);
        counts = attempt.equals(own) ? counts : null;
      }
      publish(attempt);
      output.delete("." + run);
      write(DONE, JsonLine.of(json -> json.writeStringField("run", run)));
      return counts;
    }
  }

  /** That another process is working on the replay. */
  static final class RunningException extends Exception {}

  private void writePlan(Policy policy) throws IOException {
    write(
        PLAN,
        JsonLine.of(
            json -> {
              json.writeStringField("run", run);
              json.writeStringField("metric", metric);
              json.writeStringField("policyVersion", policy.version());
              json.writeArrayFieldStart("files");
              for (String file : files) {
                json.writeString(file);
              }
              json.writeEndArray();
            }));
  }

  private Counts attempt(ReplayPipeline pipeline, String attempt) throws IOException {
    List<String> claimed = claim();
    try {
      return pipeline.run(claimed, output.child(staging(attempt)), run);
    } catch (IOException | RuntimeException e) {
      output.delete(staging(attempt));
      throw e;
    }
  }

  private List<String> claim() throws IOException {
    Claims claims = new Claims(metric);
    List<String> claimed = new ArrayList<>();
    for (String file : files) {
      if (claims.claim(file, run, output)) {
        claimed.add(file);
      }
    }
    return claimed;
  }

  private @Nullable String committedAttempt() throws IOException {
    String committed = WriteOnce.readIfAny(file(output, run, COMMITTED));
    return committed == null ? null : JsonFields.of(committed).text("attempt");
  }

  /** The attempt that is committed: this one, or another that was first. */
  private String commit(String attempt) throws IOException {
    String committed =
        write(
            COMMITTED,
            JsonLine.of(
                json -> {
                  json.writeStringField("run", run);
                  json.writeStringField("attempt", attempt);
                }));
    return JsonFields.of(committed).text("attempt");
  }

  private void publish(String attempt) throws IOException {
    ResourceId from = OutputDirectory.resource(output.lane(staging(attempt)));
    String to = OutputDirectory.resource(output.name()).toString();
    List<ResourceId> sources = new ArrayList<>();
    List<ResourceId> targets = new ArrayList<>();
    for (Metadata file : LaneFiles.below(from)) {
      String path = file.resourceId().toString().substring(from.toString().length());
      sources.add(file.resourceId());
      targets.add(FileSystems.matchNewResource(to + path, false));
    }
    FileSystems.rename(sources, targets, StandardMoveOptions.IGNORE_MISSING_FILES);
  }

  private String staging(String attempt) {
    return "." + run + "/" + attempt;
  }

  private String write(String name, String content) throws IOException {
    return WriteOnce.write(file(output, run, name), content, run);
  }

  private static ResourceId file(OutputDirectory output, String run, String name) {
    String directory = OutputDirectory.resource(output.lane(REPLAYS + "/" + run)).toString();
    return FileSystems.matchNewResource(directory + name, false);
  }
}
