package dev.tidemark.pipelines.files;

import dev.tidemark.pipelines.UsageException;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;

/** The directory that a run writes its lanes to, on any file system that Beam knows. */
public final class OutputDirectory implements Serializable {
  public static final String RESULTS = "results";
  public static final String TOO_LATE = "too-late";
  public static final String DEAD_LETTERS = "dead-letters";
  public static final String SEVERE = "severe";
  public static final String REPLAYS = "replays";

  private static final String TEMPORARY = ".temp-beam"; // where Beam's FileIO writes first

  private final String name;
  private final ResourceId directory;

  /**
   * @param name as the user gave it
   * @throws UsageException if no file system knows such a name
   */
  public OutputDirectory(String name) throws UsageException {
    this.name = withoutFileScheme(name);
    try {
      this.directory = resource(name);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--output=" + name + ": not a directory's name: " + e.getMessage());
    }
  }

  private OutputDirectory(String name, ResourceId directory) {
    this.name = name;
    this.directory = directory;
  }

  /** A directory in this one. */
  public OutputDirectory child(String child) {
    return new OutputDirectory(
        lane(child), directory.resolve(child, StandardResolveOptions.RESOLVE_DIRECTORY));
  }

  /**
   * A directory that a user named, for Beam.
   *
   * @throws IllegalArgumentException if no file system knows such a name
   */
  public static ResourceId resource(String name) {
    return FileSystems.matchNewResource(withoutFileScheme(name), true);
  }

  /** Beam takes a file URI for the name of a directory called "file:". */
  private static String withoutFileScheme(String name) {
    return name.replaceFirst("^file:(//)?(?=/)", "");
  }

  /**
   * Makes sure that a run can write here and meets no files of an earlier one.
   *
   * @param overwrite delete the files of an earlier run instead of refusing
   * @throws UsageException if the directory holds files or cannot be written to
   */
  public void prepare(boolean overwrite) throws UsageException {
    try {
      if (!overwrite && !filesUnder(directory).isEmpty()) {
        throw new UsageException(
            "--output=" + name + ": holds files; give another directory, or --overwrite");
      }
      checkWritable();
      if (overwrite) {
        for (String lane : List.of(RESULTS, TOO_LATE, DEAD_LETTERS, SEVERE, REPLAYS)) {
          delete(lane);
        }
      }
    } catch (IOException e) {
      throw new UsageException("--output=" + name + ": cannot be written to: " + e.getMessage());
    }
  }

  /**
   * Makes sure that files can be added, as far as that shows without writing any.
   *
   * @throws UsageException if the directory cannot be written to
   */
  public void prepareToAppend() throws UsageException {
    if (!directory.getScheme().equals("file")) {
      return;
    }
    Path existing = Path.of(directory.toString());
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
      throw new UsageException("--output=" + name + ": cannot be written to");
    }
  }

  /** Deletes what is left of files being written. */
  public void removeTemporaryFiles() throws IOException {
    delete(TEMPORARY);
  }

  /** The directory, as Beam's own transforms take it. */
  public String name() {
    return name;
  }

  /** The name of a lane, to show to people. */
  public String lane(String lane) {
    return name.endsWith("/") ? name + lane : name + "/" + lane;
  }

  private void checkWritable() throws IOException {
    ResourceId probe =
        directory.resolve(".tidemark-can-write", StandardResolveOptions.RESOLVE_FILE);
    try (WritableByteChannel channel = FileSystems.create(probe, "text/plain")) {
      channel.write(ByteBuffer.wrap("\n".getBytes(StandardCharsets.UTF_8)));
    }
    // Missing is what it may be to a delete that is tried again.
    FileSystems.delete(List.of(probe), StandardMoveOptions.IGNORE_MISSING_FILES);
  }

  /** Deletes a directory in this one with all that is in it. */
  public void delete(String child) throws IOException {
    ResourceId tree = directory.resolve(child, StandardResolveOptions.RESOLVE_DIRECTORY);
    FileSystems.delete(filesUnder(tree), StandardMoveOptions.IGNORE_MISSING_FILES);
    if (tree.getScheme().equals("file")) {
      deleteEmptyDirectories(Path.of(tree.toString()));
    }
  }

  private static List<ResourceId> filesUnder(ResourceId directory) throws IOException {
    return FileSystems.match(directory + "**", EmptyMatchTreatment.ALLOW).metadata().stream()
        .map(Metadata::resourceId)
        .toList();
  }

  private static void deleteEmptyDirectories(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(tree)) {
      paths.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
