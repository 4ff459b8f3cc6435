package dev.tidemark.pipelines.reconcile;

import dev.tidemark.event.EventKey;
import dev.tidemark.pipelines.files.LaneFiles;
import dev.tidemark.pipelines.files.NdjsonFiles;
import dev.tidemark.pipelines.files.OutputDirectory;
import dev.tidemark.policy.Policy;
import dev.tidemark.testkit.BatchRun;
import dev.tidemark.testkit.ScriptedPipeline;
import dev.tidemark.testkit.Step;
import dev.tidemark.transforms.InModelTerms;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowedAggregation;
import dev.tidemark.transforms.reconcile.ResultLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.jspecify.annotations.Nullable;

/** The directory of a run: what a script leaves in it, and what stands of that. */
record Trail(Policy policy, Path directory) {

  /** Plays the script with the real transforms, into the run's own files. */
  Trail play(List<Step> steps) {
    ScriptedPipeline script = ScriptedPipeline.of(steps);
    WindowedAggregation.Output output =
        script.events().apply("Aggregate", WindowedAggregation.of(policy).withAccumulators());
    Policy shown = policy;
    output
        .results()
        .apply(
            "Write results",
            NdjsonFiles.<WindowResult>of(
                directory.toString(),
                OutputDirectory.RESULTS,
                "run",
                result -> result.window() == null ? null : result.window().start(),
                result -> ResultJson.line(shown, result)));
    output
        .tooLate()
        .apply(
            "Write too late",
            NdjsonFiles.<TooLateEvent>of(
                directory.toString(),
                OutputDirectory.TOO_LATE,
                "run",
                late -> late.event().raw().arrivedAt(),
                late -> ResultJson.line(shown, late)));
    var unused = script.run();
    return this;
  }

  Trail reconcile() throws Exception {
    DirectOptions options = PipelineOptionsFactory.as(DirectOptions.class);
    options.setRunner(DirectRunner.class);
    options.setTargetParallelism(1);
    List<String> run = List.of(directory.toString());
    PrintWriter unheard = new PrintWriter(Writer.nullWriter());
    var unused = Reconciliation.of(policy, run, run, directory.toString()).run(options, unheard);
    return this;
  }

  /** The rows of the latest view, in the terms of the reference model. */
  Map<BatchRun.Row, List<@Nullable Object>> view() throws Exception {
    Map<BatchRun.Row, List<@Nullable Object>> view = new HashMap<>();
    List<String> run = List.of(directory.toString());
    var files = LaneFiles.find("--results", run, OutputDirectory.RESULTS).values();
    for (String row : LatestView.of(files, policy)) {
      WindowResult result = ResultLine.parse(row).result();
      view.put(
          new BatchRun.Row(result.key(), InModelTerms.window(result.window())),
          InModelTerms.values(result.value()));
    }
    return view;
  }

  /** Writes some lines again, as a sink that delivers at least once does. */
  void duplicate(Random random) throws IOException {
    for (Path file : files().keySet()) {
      Files.write(
          file.resolveSibling("again-" + file.getFileName()),
          Files.readAllLines(file).stream().filter(line -> random.nextInt(3) == 0).toList());
    }
  }

  /** Reconciles while some lines of the too-late lane have not come yet. */
  void reconcilePart(Random random) throws Exception {
    SortedMap<Path, String> lane = files();
    lane.keySet().removeIf(path -> !path.startsWith(directory.resolve(OutputDirectory.TOO_LATE)));
    for (Map.Entry<Path, String> file : lane.entrySet()) {
      Files.write(
          file.getKey(), file.getValue().lines().filter(line -> random.nextBoolean()).toList());
    }
    reconcile();
    for (Map.Entry<Path, String> file : lane.entrySet()) {
      Files.writeString(file.getKey(), file.getValue());
    }
  }

  /** Leaves some of the corrections away, and something half-written. */
  void crash(Random random) throws IOException {
    for (Path file : files().keySet()) {
      if (file.getFileName().toString().contains("-corrections-") && random.nextBoolean()) {
        Files.delete(file);
      }
    }
    Path temporary = Files.createDirectories(directory.resolve(".temp-reconcile-killed"));
    Files.writeString(temporary.resolve("half.ndjson"), "{\"metric\":");
  }

  /** How many results no retraction takes back, for a reader who heeds nothing else. */
  long unretracted() throws IOException {
    record Firing(EventKey key, @Nullable ResultWindow window, long sequence) {}
    Set<Firing> stated = new HashSet<>();
    Set<Firing> retracted = new HashSet<>();
    for (Map.Entry<Path, String> file : files().entrySet()) {
      if (file.getKey().startsWith(directory.resolve(OutputDirectory.RESULTS))) {
        for (String line : file.getValue().lines().toList()) {
          WindowResult result = ResultLine.parse(line).result();
          (result.kind() == ResultKind.RETRACTION ? retracted : stated)
              .add(new Firing(result.key(), result.window(), result.firingSequence()));
        }
      }
    }
    stated.removeAll(retracted);
    return stated.size();
  }

  /** All files and what is in them. */
  SortedMap<Path, String> files() throws IOException {
    SortedMap<Path, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        files.put(path, Files.readString(path));
      }
    }
    return files;
  }
}
