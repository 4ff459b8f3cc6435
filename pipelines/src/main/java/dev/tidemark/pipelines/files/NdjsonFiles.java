package dev.tidemark.pipelines.files;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.transforms.Contextful;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupIntoBatches;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterProcessingTime;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Repeatedly;
import org.apache.beam.sdk.transforms.windowing.Trigger;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
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
 * written; or both as their files fill, see {@link #rollingAt}.
 *
 * <p>The output has each file, by what its name starts with, once it is in its place.
 *
 * @param <T> the elements
 */
public final class NdjsonFiles<T>
    extends PTransform<PCollection<T>, PCollection<KV<String, String>>> {
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
  private final @Nullable Rolling rolling;
  private final int spread;

  /** When a file is closed and the next one begun. */
  private record Rolling(long bytes, Duration every) implements java.io.Serializable {}

  private NdjsonFiles(
      String output,
      String prefix,
      SerializableFunction<T, String> directory,
      SerializableFunction<T, @Nullable Instant> time,
      SerializableFunction<T, String> line,
      String temporary,
      @Nullable Rolling rolling,
      int spread) {
    this.output = output;
    this.prefix = prefix;
    this.directory = directory;
    this.time = time;
    this.line = line;
    this.temporary = temporary;
    this.rolling = rolling;
    this.spread = spread;
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
    return new NdjsonFiles<>(output, prefix, element -> lane, time, line, output, null, 1);
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
        temporary,
        rolling,
        spread);
  }

  /** Files being written lie in the {@code .temp-beam} of another directory than the output. */
  public NdjsonFiles<T> withTemporaryDirectory(String temporary) {
    return new NdjsonFiles<>(output, prefix, directory, time, line, temporary, rolling, spread);
  }

  /**
   * Writes files of limited size, each as soon as it is full, so that memory for the lines of one
   * file in each directory is enough. Their names differ between two runs over the same elements.
   *
   * @param bytes the size of a file, more than 0; a single longer line makes a longer file
   * @param every unbounded elements wait no longer than this, more than 0, for their file to fill
   */
  public NdjsonFiles<T> rollingAt(long bytes, Duration every) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes is " + bytes + ": more than 0 is allowed");
    }
    if (!every.isLongerThan(Duration.ZERO)) {
      throw new IllegalArgumentException("every is " + every + ": more than 0 is allowed");
    }
    return new NdjsonFiles<>(
        output, prefix, directory, time, line, temporary, new Rolling(bytes, every), spread);
  }

  /**
   * Writes as many files in place of one, of about the same size. Which one a line goes to depends
   * on the line alone: two runs over the same elements write the same files, unlike rolling ones.
   */
  public NdjsonFiles<T> spreadOver(int files) {
    if (files <= 0) {
      throw new IllegalArgumentException("files is " + files + ": more than 0 is allowed");
    }
    return new NdjsonFiles<>(output, prefix, directory, time, line, temporary, rolling, files);
  }

  @Override
  public PCollection<KV<String, String>> expand(PCollection<T> elements) {
    PCollection<KV<String, String>> lines =
        elements
            .apply("Leave windows", globally(elements.isBounded()))
            .apply("Format", ParDo.of(new FormatFn<>(this)))
            .setCoder(KvCoder.of(StringUtf8Coder.of(), StringUtf8Coder.of()));
    return (rolling == null ? lines : rolled(lines, rolling))
        .apply("Write", files())
        .getPerDestinationOutputFilenames();
  }

  private static PCollection<KV<String, String>> rolled(
      PCollection<KV<String, String>> lines, Rolling rolling) {
    GroupIntoBatches<String, String> batches = GroupIntoBatches.ofByteSize(rolling.bytes());
    return lines
        .apply(
            "Fill files",
            lines.isBounded() == IsBounded.BOUNDED
                ? batches
                : batches.withMaxBufferingDuration(rolling.every()))
        .apply("Name files", ParDo.of(new NameFn()))
        .setCoder(lines.getCoder());
  }

  private Window<T> globally(IsBounded bounded) {
    return Window.<T>into(new GlobalWindows())
        .triggering(trigger(bounded))
        .withAllowedLateness(Duration.ZERO)
        .discardingFiredPanes();
  }

  private Trigger trigger(IsBounded bounded) {
    if (rolling != null) {
      return Repeatedly.forever(AfterPane.elementCountAtLeast(1)); // which is a whole file
    }
    return bounded == IsBounded.BOUNDED
        ? DefaultTrigger.of()
        : Repeatedly.forever(
            AfterProcessingTime.pastFirstElementInPane().plusDelayOf(UNBOUNDED_DELAY));
  }

  private FileIO.Write<String, KV<String, String>> files() {
    return FileIO.<String, KV<String, String>>writeDynamic()
        .by(KV::getKey)
        .withDestinationCoder(StringUtf8Coder.of())
        .via(Contextful.fn(KV::getValue), TextIO.sink())
        .to(output)
        .withTempDirectory(temporary)
        .withNumShards(SHARDS)
        .withNaming(
            name ->
                (window, pane, shards, shard, compression) ->
                    "%s-p%d-%05d-of-%05d.ndjson".formatted(name, pane.getIndex(), shard, shards));
  }

  /**
   * Elements as what their file's name starts with, and their lines: those of a bundle together,
   * for DirectRunner copies each element that waits for its file with each bundle that comes. Where
   * files are of limited size, each line is on its own.
   */
  private static final class FormatFn<T> extends DoFn<T, KV<String, String>> {
    private static final int MOST_CHARACTERS = 1 << 20;

    private final String prefix;
    private final SerializableFunction<T, String> directory;
    private final SerializableFunction<T, @Nullable Instant> time;
    private final SerializableFunction<T, String> line;
    private final int spread;
    private final boolean together;

    private transient Map<String, StringBuilder> bundle;
    private transient int characters;
    private transient Instant latest;

    FormatFn(NdjsonFiles<T> files) {
      this.prefix = files.prefix;
      this.directory = files.directory;
      this.time = files.time;
      this.line = files.line;
      this.spread = files.spread;
      this.together = files.rolling == null;
    }

    @StartBundle
    public void start() {
      bundle = new HashMap<>();
      characters = 0;
    }

    @ProcessElement
    public void process(
        @Element T element, @Timestamp Instant timestamp, OutputReceiver<KV<String, String>> out) {
      String name = directory.apply(element) + "/" + hour(time.apply(element)) + "/" + prefix;
      String text = line.apply(element);
      add(spread == 1 ? name : name + "-" + part(text), text);
      latest = timestamp;
      if (!together || characters >= MOST_CHARACTERS) {
        emit(out::output);
      }
    }

    private void add(String name, String text) {
      StringBuilder lines = bundle.computeIfAbsent(name, unused -> new StringBuilder());
      if (!lines.isEmpty()) {
        lines.append('\n');
      }
      lines.append(text);
      characters += text.length();
    }

    private void emit(Consumer<KV<String, String>> out) {
      bundle.forEach((name, lines) -> out.accept(KV.of(name, lines.toString())));
      start();
    }

    @FinishBundle
    public void finish(FinishBundleContext context) {
      emit(lines -> context.output(lines, latest, GlobalWindow.INSTANCE));
    }

    private int part(String text) {
      return Math.floorMod(text.hashCode(), spread);
    }

    private static String hour(@Nullable Instant time) {
      return time == null
          ? "global"
          : DATE_AND_HOUR.format(java.time.Instant.ofEpochMilli(time.getMillis()));
    }
  }

  /** All lines of a file as one, under a name that no other file has. */
  static final class NameFn extends DoFn<KV<String, Iterable<String>>, KV<String, String>> {
    @ProcessElement
    public void process(
        @Element KV<String, Iterable<String>> batch, OutputReceiver<KV<String, String>> out) {
      out.output(
          KV.of(batch.getKey() + "-" + UUID.randomUUID(), String.join("\n", batch.getValue())));
    }
  }
}
