package dev.tidemark.pipelines.files;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.is;

import dev.tidemark.testkit.PipelineExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(PipelineExtension.class)
class NdjsonFilesTest {
  private static final String TIMELESS = "timeless";

  @TempDir private Path output = Path.of("");

  @Test
  void linesLieUnderTheirDateAndHourInUtc(TestPipeline pipeline) throws Exception {
    pipeline
        .apply(
            Create.of(
                "2026-07-04T10:00:00.000Z", "2026-07-04T10:59:59.999Z", "2026-07-03T23:30:00.000Z"))
        .apply(files("m-run"));
    pipeline.run().waitUntilFinish();
    assertThat(
        directories(),
        is(
            Map.of(
                "results/dt=2026-07-04/hr=10",
                List.of("2026-07-04T10:00:00.000Z", "2026-07-04T10:59:59.999Z"),
                "results/dt=2026-07-03/hr=23",
                List.of("2026-07-03T23:30:00.000Z"))));
  }

  @Test
  void whatHasNoTimeLiesUnderGlobal(TestPipeline pipeline) throws Exception {
    pipeline.apply(Create.of(TIMELESS)).apply(files("m-run"));
    pipeline.run().waitUntilFinish();
    assertThat(directories(), is(Map.of("results/global", List.of(TIMELESS))));
  }

  @Test
  void aDirectoryThatTheElementNamesLiesAboveItsDate(TestPipeline pipeline) throws Exception {
    pipeline
        .apply(Create.of("2026-07-04T10:00:00.000Z", TIMELESS))
        .apply(files("m-run").withDirectory(text -> "length=" + text.length()));
    pipeline.run().waitUntilFinish();
    assertThat(
        directories(),
        is(
            Map.of(
                "results/length=24/dt=2026-07-04/hr=10",
                List.of("2026-07-04T10:00:00.000Z"),
                "results/length=8/global",
                List.of(TIMELESS))));
  }

  @Test
  void nothingIsLeftButTheFiles(TestPipeline pipeline) throws Exception {
    pipeline.apply(Create.of(TIMELESS)).apply(files("m-run"));
    pipeline.run().waitUntilFinish();
    new OutputDirectory(output.toString()).removeTemporaryFiles();
    try (Stream<Path> children = Files.list(output)) {
      assertThat(children.toList(), is(List.of(output.resolve("results"))));
    }
  }

  @Test
  void runsThatShareADirectoryKeepApart(TestPipeline pipeline) throws Exception {
    pipeline.apply("One", Create.of(TIMELESS)).apply("Write one", files("m-run1"));
    pipeline.apply("Two", Create.of(TIMELESS)).apply("Write two", files("m-run2"));
    pipeline.run().waitUntilFinish();
    assertThat(directories(), is(Map.of("results/global", List.of(TIMELESS, TIMELESS))));
  }

  @Test
  void unboundedLinesOfSessionsAreWrittenInFilesOfTheirOwnPane(TestPipeline pipeline)
      throws Exception {
    Instant time = Instant.parse("2026-07-04T10:00:00Z");
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .addElements(TimestampedValue.of(time.toString(), time))
            .advanceProcessingTime(Duration.standardMinutes(5))
            .advanceWatermarkTo(time.plus(Duration.standardDays(30)))
            .addElements(TimestampedValue.of(time.toString(), time)) // late by a month
            .advanceProcessingTime(Duration.standardMinutes(5))
            .advanceWatermarkToInfinity();
    pipeline
        .apply(stream)
        .apply(Window.into(Sessions.withGapDuration(Duration.standardMinutes(1))))
        .apply(files("m-run"));
    pipeline.run().waitUntilFinish();
    assertThat(
        names(),
        containsInAnyOrder("m-run-p0-00000-of-00001.ndjson", "m-run-p1-00000-of-00001.ndjson"));
    assertThat(
        directories(),
        is(Map.of("results/dt=2026-07-04/hr=10", List.of(time.toString(), time.toString()))));
  }

  @Test
  void rollingFilesAreAsLargeAsAllowedAndNoLarger(TestPipeline pipeline) throws Exception {
    List<String> lines = IntStream.range(0, 10).mapToObj(i -> "%0100d".formatted(i)).toList();
    pipeline.apply(Create.of(lines)).apply(rolling(350));
    pipeline.run().waitUntilFinish();
    List<Integer> sizes = new ArrayList<>();
    for (Path file : files().toList()) {
      sizes.add(Files.readAllLines(file).size());
    }
    assertThat(sizes, containsInAnyOrder(3, 3, 3, 1));
    assertThat(directories(), is(Map.of("results/global", lines)));
  }

  @Test
  void spreadLinesLieInTheSameFilesWhateverTheirOrder(TestPipeline pipeline) throws Exception {
    List<String> lines = IntStream.range(0, 100).mapToObj(i -> "line " + i).toList();
    List<String> reversed = new ArrayList<>(lines);
    Collections.reverse(reversed);
    NdjsonFiles<String> files =
        NdjsonFiles.<String>of(output.toString(), "one", "m-run", text -> null, text -> text)
            .spreadOver(4);
    pipeline.apply("One", Create.of(lines)).apply("Write one", files);
    pipeline
        .apply("Two", Create.of(reversed))
        .apply("Write two", files.withDirectory(text -> "two"));
    pipeline.run().waitUntilFinish();
    assertThat(contents("one/global").size(), is(4));
    assertThat(contents("one/two/global"), is(contents("one/global")));
    assertThat(directories().get("one/global"), is(lines.stream().sorted().toList()));
  }

  /** The sorted lines of the files of one directory, by their names. */
  private Map<String, List<String>> contents(String directory) throws IOException {
    Map<String, List<String>> contents = new TreeMap<>();
    for (Path file : files().filter(f -> f.getParent().endsWith(directory)).toList()) {
      contents.put(
          file.getFileName().toString(), Files.readAllLines(file).stream().sorted().toList());
    }
    return contents;
  }

  @Test
  void anUnboundedLineWaitsNoLongerThanAllowedAndADrainLosesNone(TestPipeline pipeline)
      throws Exception {
    Instant time = Instant.parse("2026-07-04T10:00:00Z");
    TestStream<String> stream =
        TestStream.create(StringUtf8Coder.of())
            .addElements(TimestampedValue.of("1", time), TimestampedValue.of("2", time))
            .advanceProcessingTime(Duration.standardMinutes(2))
            .advanceWatermarkTo(time.plus(Duration.standardDays(30)))
            .addElements(TimestampedValue.of("3", time), TimestampedValue.of("4", time))
            .advanceWatermarkToInfinity();
    pipeline
        .apply(stream)
        .apply(Window.into(Sessions.withGapDuration(Duration.standardMinutes(1))))
        .apply(rolling(1 << 20));
    pipeline.run().waitUntilFinish();
    assertThat(directories(), is(Map.of("results/global", List.of("1", "2", "3", "4"))));
    assertThat(names().size(), is(2));
  }

  private NdjsonFiles<String> rolling(long bytes) {
    return NdjsonFiles.<String>of(output.toString(), "results", "m-run", text -> null, text -> text)
        .rollingAt(bytes, Duration.standardMinutes(1));
  }

  private NdjsonFiles<String> files(String prefix) {
    return NdjsonFiles.of(
        output.toString(),
        "results",
        prefix,
        text -> text.equals(TIMELESS) ? null : Instant.parse(text),
        text -> text);
  }

  private List<String> names() throws IOException {
    return files().map(file -> file.getFileName().toString()).toList();
  }

  /** The lines, sorted, by the directory that they lie in. */
  private Map<String, List<String>> directories() throws IOException {
    Map<String, List<String>> lines = new TreeMap<>();
    for (Path file : files().toList()) {
      String directory = output.relativize(file).getParent().toString();
      lines.computeIfAbsent(directory, key -> new ArrayList<>()).addAll(Files.readAllLines(file));
    }
    lines.values().forEach(list -> list.sort(null));
    return lines;
  }

  private Stream<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(output)) {
      return files.filter(Files::isRegularFile).toList().stream();
    }
  }
}
