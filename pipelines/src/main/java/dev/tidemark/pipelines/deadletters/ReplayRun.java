package dev.tidemark.pipelines.deadletters;

import dev.tidemark.event.JsonFields;
import dev.tidemark.event.JsonLine;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.files.WriteOnce;
import dev.tidemark.pipelines.run.RunId;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
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
 *       OUTPUT/.RUN/ATTEMPT}. Nobody takes what lies there for late events or dead letters.
 *   <li>Its last step commits ({@link ReplayCommit}): {@code committed.json} names the attempt.
 *       From here on the replay has happened.
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
 * <p>What an attempt that failed has written stays hidden until the replay is done: who waits for a
 * pipeline cannot tell for sure that no worker goes on with it.
 *
 * <p>Two processes that work on the same replay do no harm: both may run the pipeline, but one
 * commits, and both move the files of that attempt. On local disks a lock spares the work, while
 * the command waits for the pipeline.
 */
final class ReplayRun {
  private static final String PLAN = "plan.json";
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
    String replays = OutputDirectory.resource(output.lane(OutputDirectory.REPLAYS)).toString();
    for (Metadata file :
        FileSystems.match(replays + "*/*.json", EmptyMatchTreatment.ALLOW).metadata()) {
      names.add(file.resourceId().toString().substring(replays.length()));
    }
    List<ReplayRun> unfinished = new ArrayList<>();
    for (String plan : names.stream().filter(name -> name.endsWith("/" + PLAN)).sorted().toList()) {
      String run = plan.substring(0, plan.indexOf('/'));
      if (!names.contains(run + "/" + ReplayCommit.DONE)) {
        ReplayRun replay = read(output, run);
        if (replay.metric.equals(metric)) {
          unfinished.add(replay);
        }
      }
    }
    return unfinished;
  }

  private static ReplayRun read(OutputDirectory output, String run) throws IOException {
    ResourceId file = ReplayCommit.file(output, run, PLAN);
    String plan = WriteOnce.readIfAny(file);
    if (plan == null) {
      throw new IOException(file + ": has gone");
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

  /** Tells other processes that this one is working on it; null if another does. */
  @Nullable RunLock tryLock() throws IOException {
    return RunLock.tryLock(ReplayCommit.file(output, run, LOCK));
  }

  /** Begins an attempt, which has happened once it is committed, if no other was. */
  ReplayCommit begin(Policy policy) throws IOException {
    WriteOnce.write(
        ReplayCommit.file(output, run, PLAN),
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
            }),
        run);
    return ReplayCommit.next(output, run);
  }

  /** Those of the files that it has, and no other replay, now and in every attempt. */
  List<String> claim() throws IOException {
    Claims claims = new Claims(metric);
    List<String> claimed = new ArrayList<>();
    for (String file : files) {
      if (claims.claim(file, run, output)) {
        claimed.add(file);
      }
    }
    return claimed;
  }
}
