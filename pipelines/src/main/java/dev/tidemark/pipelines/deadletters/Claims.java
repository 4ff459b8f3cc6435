package dev.tidemark.pipelines.deadletters;

import dev.tidemark.event.JsonFields;
import dev.tidemark.event.JsonLine;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.pipelines.files.WriteOnce;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;

/**
 * Which replay has a file of dead letters. The claim of {@code FILE} for a metric is {@code
 * FILE.METRIC.claim}, beside the file however its directory is called; it names the replay and is
 * never given up.
 */
final class Claims {
  private static final String SUFFIX = ".claim";

  private final String metric;

  Claims(String metric) {
    this.metric = metric;
  }

  /**
   * Claims a file.
   *
   * @return whether the replay has it, now or since before
   */
  boolean claim(String file, String run, OutputDirectory output) throws IOException {
    String content =
        JsonLine.of(
            json -> {
              json.writeStringField("run", run);
              json.writeStringField("metric", metric);
              json.writeStringField("output", OutputDirectory.resource(output.name()).toString());
            });
    String standing =
        WriteOnce.write(FileSystems.matchNewResource(name(file), false), content, run);
    return JsonFields.of(standing).text("run").equals(run);
  }

  /** The files below a directory that some replay has. */
  Set<String> claimedBelow(String directory) throws IOException {
    String suffix = name("");
    return FileSystems.match(OutputDirectory.resource(directory) + "**", EmptyMatchTreatment.ALLOW)
        .metadata()
        .stream()
        .map(file -> file.resourceId().toString())
        .filter(name -> name.endsWith(suffix))
        .map(name -> name.substring(0, name.length() - suffix.length()))
        .collect(Collectors.toSet());
  }

  private String name(String file) {
    return file + "." + metric + SUFFIX;
  }
}
