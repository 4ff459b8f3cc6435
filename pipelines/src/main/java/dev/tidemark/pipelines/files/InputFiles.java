package dev.tidemark.pipelines.files;

import dev.tidemark.pipelines.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.ResourceId;

/** Finds the files that globs name. */
public final class InputFiles {
  private static final Pattern WILDCARD_OR_URI =
      Pattern.compile("[*?\\[{]|^[A-Za-z][A-Za-z0-9+.-]*:");

  private InputFiles() {}

  /**
   * The files that match any of the globs, each once and by name.
   *
   * @throws UsageException naming each glob that no file matches or that cannot be looked up
   */
  public static List<Metadata> match(List<String> globs) throws UsageException {
    Map<ResourceId, Metadata> files = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    for (String glob : globs) {
      try {
        List<Metadata> matched = filesOf(glob);
        if (matched.isEmpty()) {
          problems.add("--input=" + glob + ": no file matches");
        }
        matched.forEach(file -> files.put(file.resourceId(), file));
      } catch (IOException | IllegalArgumentException e) {
        problems.add("--input=" + glob + ": cannot be looked up: " + e.getMessage());
      }
    }
    UsageException.throwIfAny(problems);
    return List.copyOf(files.values());
  }

  private static List<Metadata> filesOf(String glob) throws IOException {
    if (isMissingLocalFile(glob)) {
      return List.of();
    }
    return FileSystems.match(glob, EmptyMatchTreatment.ALLOW).metadata().stream()
        .filter(file -> !file.resourceId().isDirectory())
        .sorted((a, b) -> a.resourceId().toString().compareTo(b.resourceId().toString()))
        .toList();
  }

  /** Beam would search all of the directory for it, however deep. */
  private static boolean isMissingLocalFile(String name) {
    return !WILDCARD_OR_URI.matcher(name).find() && !Files.exists(Path.of(name));
  }
}
