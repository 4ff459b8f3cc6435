package dev.tidemark.pipelines.deadletters;

import dev.tidemark.event.JsonFields;
import dev.tidemark.event.JsonLine;
import dev.tidemark.pipelines.files.LaneFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.files.WriteOnce;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.jspecify.annotations.Nullable;

/**
 * The end of one attempt at a replay: its outputs, which lie hidden until then, count and move to
 * their places. Of several attempts one is committed, and whoever commits moves the files of that
 * one. See {@link ReplayRun} for the whole.
 */
final class ReplayCommit implements Serializable {
  static final String DONE = "done.json";
  private static final String COMMITTED = "committed.json";

  private final OutputDirectory output;
  private final String run;
  private final String attempt;

  private ReplayCommit(OutputDirectory output, String run, String attempt) {
    this.output = output;
    this.run = run;
    this.attempt = attempt;
  }

  /** Of a new attempt. */
  static ReplayCommit next(OutputDirectory output, String run) {
    return new ReplayCommit(output, run, UUID.randomUUID().toString());
  }

  /** One of the files that tell how far a replay is. */
  static ResourceId file(OutputDirectory output, String run, String name) {
    String directory =
        OutputDirectory.resource(output.lane(OutputDirectory.REPLAYS + "/" + run)).toString();
    return FileSystems.matchNewResource(directory + name, false);
  }

  String run() {
    return run;
  }

  /** Where the attempt writes to. */
  OutputDirectory staging() {
    return output.child(staging(attempt));
  }

  /** Whether the replay has happened, by this attempt or by another. */
  boolean isCommitted() throws IOException {
    return committed() != null;
  }

  /** Whether the replay has happened by this attempt. */
  boolean isOwn() throws IOException {
    return attempt.equals(committed());
  }

  /**
   * Commits this attempt unless another was first, and moves the files of the one that is. Does no
   * harm if it is interrupted and called again, or called twice at once.
   */
  void commit() throws IOException {
    String standing =
        write(
            COMMITTED,
            JsonLine.of(
                json -> {
                  json.writeStringField("run", run);
                  json.writeStringField("attempt", attempt);
                }));
    if (WriteOnce.readIfAny(file(output, run, DONE)) == null) {
      publish(JsonFields.of(standing).text("attempt"));
    } // else what is still there was written by the same pipeline, started a second time
    output.delete("." + run);
    write(DONE, JsonLine.of(json -> json.writeStringField("run", run)));
  }

  private @Nullable String committed() throws IOException {
    String committed = WriteOnce.readIfAny(file(output, run, COMMITTED));
    return committed == null ? null : JsonFields.of(committed).text("attempt");
  }

  private void publish(String committed) throws IOException {
    ResourceId from = OutputDirectory.resource(output.lane(staging(committed)));
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
    return WriteOnce.write(file(output, run, name), content, attempt);
  }
}
