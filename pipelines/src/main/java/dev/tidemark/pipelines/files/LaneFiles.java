package dev.tidemark.pipelines.files;

import dev.tidemark.pipelines.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * Finds the files of one lane: all {@code .ndjson} files below some directories. A directory may be
 * the lane's own, or that of a run or a simulation, or of several of them, whose other lanes are
 * passed over. So is all that is hidden: there lies what is still being written.
 */
public final class LaneFiles {
  private static final String SUFFIX = ".ndjson";
  private static final List<String> LANES =
      List.of(
          OutputDirectory.RESULTS,
          OutputDirectory.TOO_LATE,
          OutputDirectory.DEAD_LETTERS,
          OutputDirectory.SEVERE);

  private LaneFiles() {}

  /**
   * The files of a lane, by their full names.
   *
   * @param option that gave the directories, for messages
   * @throws UsageException naming each directory that has no {@code .ndjson} file at all below it
   */
  public static SortedMap<String, Metadata> find(
      String option, List<String> directories, String lane) throws UsageException {
    SortedMap<String, Metadata> files = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    for (String directory : directories) {
      try {
        ResourceId resource = OutputDirectory.resource(directory);
        List<Metadata> below = below(resource);
        if (below.isEmpty()) {
          problems.add(option + "=" + directory + ": no " + SUFFIX + " file below it");
        }
        below.stream()
            .filter(file -> isOf(lane, path(resource, file)))
            .forEach(file -> files.put(file.resourceId().toString(), file));
      } catch (IOException | IllegalArgumentException e) {
        problems.add(option + "=" + directory + ": cannot be looked up: " + e.getMessage());
      }
    }
    UsageException.throwIfAny(problems);
    return files;
  }

  /** All files below a directory, whatever their lane; none if there is no such directory. */
  public static List<Metadata> below(ResourceId directory) throws IOException {
    return FileSystems.match(directory + "**", EmptyMatchTreatment.ALLOW).metadata().stream()
        .filter(file -> !file.resourceId().isDirectory())
        .filter(file -> file.resourceId().toString().endsWith(SUFFIX))
        .filter(file -> !isHidden(path(directory, file)))
        .toList();
  }

  private static String path(ResourceId directory, Metadata file) {
    return file.resourceId().toString().substring(directory.toString().length());
  }

  private static boolean isHidden(String path) {
    return Arrays.stream(path.split("/")).anyMatch(part -> part.startsWith("."));
  }

  private static boolean isOf(String lane, String path) {
    return Arrays.stream(path.split("/"))
        .map(part -> part.replace(SUFFIX, ""))
        .filter(LANES::contains)
        .findFirst()
        .map(lane::equals)
        .orElse(true);
  }
}
