package dev.tidemark.pipelines.files;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.transforms.Contextful;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.windowing.AfterProcessingTime;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Repeatedly;
import org.apache.beam.sdk.transforms.windowing.Trigger;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PDone;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes elements as lines of NDJSON, under a directory for each date and hour (in UTC): {@code
 * LANE/dt=2026-07-04/hr=10/PREFIX-p0-00000-of-00001.ndjson}. An element without a time goes to
 * {@code LANE/global/}. PREFIX must differ between the runs and metrics that share a directory;
 * pane and shard keep the names of one apart, so that no file ever replaces another.
 *
 * <p>The elements' own windows are of no concern to the files: all is written from the global
 * window, where nothing is ever too late to be written and sessions need no merging. Bounded
 * elements are written when all have come, unbounded ones a minute after the first that is not yet
 * written.
 *
 * @param <T> the elements
 */
public final class NdjsonFiles<T> extends PTransform<PCollection<T>, PDone> {
  private static final Duration UNBOUNDED_DELAY = Duration.standardMinutes(1);
  // The lines of one hour go through one worker; an hour of results, or of what went wrong, fits.
  private static final int SHARDS = 1;
  private static final DateTimeFormatter DATE_AND_HOUR =
      DateTimeFormatter.ofPattern("'dt='uuuu-MM-dd'/hr='HH").withZone(ZoneOffset.UTC);

  private final String output;
  private final String prefix;
  private final SerializableFunction<T, String> directory;
  private final SerializableFunction<T, @Nullable Instant> time;
  private final SerializableFunction<T, String> line;
  private final String temporary;

  private NdjsonFiles(
      String output,
      String prefix,
      SerializableFunction<T, String> directory,
      SerializableFunction<T, @Nullable Instant> time,
      SerializableFunction<T, String> line,
      String temporary) {
    this.output = output;
    this.prefix = prefix;
    this.directory = directory;
    this.time = time;
    this.line = line;
    this.temporary = temporary;
  }

  /**
   * Writes to a lane of an output directory.
   *
   * @param output the directory, whose {@code .temp-beam} holds the files being written
   * @param lane the directory in it
   * @param prefix what the files' names start with
   * @param time the time that an element is filed under; null for none
   * @param line an element as one line, without the line's end
   */
  public static <T> NdjsonFiles<T> of(
      String output,
      String lane,
      String prefix,
      SerializableFunction<T, @Nullable Instant> time,
      SerializableFunction<T, String> line) {
    return new NdjsonFiles<>(output, prefix, element -> lane, time, line, output);
  }

  /** Files lie in a directory of the lane, above those of date and hour, that an element names. */
  public NdjsonFiles<T> withDirectory(SerializableFunction<T, String> name) {
    SerializableFunction<T, String> parent = directory;
    return new NdjsonFiles<>(
        output,
        prefix,
        element -> parent.apply(element) + "/" + name.apply(element),
        time,
        line,
        temporary);
  }

  /** Files being written lie in the {@code .temp-beam} of another directory than the output. */
  public NdjsonFiles<T> withTemporaryDirectory(String temporary) {
    return new NdjsonFiles<>(output, prefix, directory, time, line, temporary);
  }

  @Override
  public PDone expand(PCollection<T> elements) {
    elements
        .apply("Format", ParDo.of(new FormatFn<>(directory, time, line)))
        .setCoder(KvCoder.of(StringUtf8Coder.of(), StringUtf8Coder.of()))
        .apply("Leave windows", globally(elements.isBounded()))
        .apply("Write", files());
    return PDone.in(elements.getPipeline());
  }

  private static Window<KV<String, String>> globally(IsBounded bounded) {
    Trigger trigger =
        bounded == IsBounded.BOUNDED
            ? DefaultTrigger.of()
            : Repeatedly.forever(
                AfterProcessingTime.pastFirstElementInPane().plusDelayOf(UNBOUNDED_DELAY));
    return Window.<KV<String, String>>into(new GlobalWindows())
        .triggering(trigger)
        .withAllowedLateness(Duration.ZERO)
        .discardingFiredPanes();
  }

  private FileIO.Write<String, KV<String, String>> files() {
    String namePrefix = prefix;
    return FileIO.<String, KV<String, String>>writeDynamic()
        .by(KV::getKey)
        .withDestinationCoder(StringUtf8Coder.of())
        .via(Contextful.fn(KV::getValue), TextIO.sink())
        .to(output)
        .withTempDirectory(temporary)
        .withNumShards(SHARDS)
        .withNaming(
            directory ->
                (window, pane, shards, shard, compression) ->
                    "%s/%s-p%d-%05d-of-%05d.ndjson"
                        .formatted(directory, namePrefix, pane.getIndex(), shard, shards));
  }

  /** An element as its directory and its line. */
  private static final class FormatFn<T> extends DoFn<T, KV<String, String>> {
    private final SerializableFunction<T, String> directory;
    private final SerializableFunction<T, @Nullable Instant> time;
    private final SerializableFunction<T, String> line;

    FormatFn(
        SerializableFunction<T, String> directory,
        SerializableFunction<T, @Nullable Instant> time,
        SerializableFunction<T, String> line) {
      this.directory = directory;
      this.time = time;
      this.line = line;
    }

    @ProcessElement
    public void process(@Element T element, OutputReceiver<KV<String, String>> out) {
      String hour = hour(time.apply(element));
      out.output(KV.of(directory.apply(element) + "/" + hour, line.apply(element)));
    }

    private static String hour(@Nullable Instant time) {
      return time == null
          ? "global"
          : DATE_AND_HOUR.format(java.time.Instant.ofEpochMilli(time.getMillis()));
    }
  }
}
