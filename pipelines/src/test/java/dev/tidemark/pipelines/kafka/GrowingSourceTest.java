package dev.tidemark.pipelines.kafka;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.extensions.avro.coders.AvroCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.UnboundedSource.UnboundedReader;
import org.apache.beam.sdk.io.kafka.KafkaCheckpointMark;
import org.apache.beam.sdk.io.kafka.KafkaCheckpointMark.PartitionMark;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.kafka.common.TopicPartition;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Readers of topics that exist in this test only, and hear of each partition at once. */
class GrowingSourceTest {
  private static final PipelineOptions OPTIONS = PipelineOptionsFactory.create();
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final int RECORDS = 5;

  private final FakeTopics topics = new FakeTopics();

  /** Whatever is between two records: partitions that are added, or readers that start again. */
  @Property(tries = 300)
  void everyRecordOfEveryPartitionIsReadOnce(
      @ForAll @IntRange(min = 1, max = 4) int a,
      @ForAll @IntRange(min = 1, max = 4) int b,
      @ForAll @IntRange(min = 1, max = 6) int splits,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    FakeTopics topics = new FakeTopics();
    topics.grow("a", a);
    topics.grow("b", b);
    List<GrowingSource<String>> sources = new GrowingSource<>(topics).split(splits, OPTIONS);
    List<UnboundedReader<String>> readers = new ArrayList<>();
    List<String> read = new ArrayList<>();
    for (GrowingSource<String> source : sources) {
      readers.add(open(source, null, read));
    }
    for (int step = 0; step < 40; step++) {
      int chosen = random.nextInt(readers.size());
      switch (random.nextInt(8)) {
        case 0 -> topics.grow("a", a + random.nextInt(9));
        case 1 -> topics.grow("b", b + random.nextInt(9));
        case 2 -> readers.set(chosen, reopened(sources.get(chosen), readers.get(chosen), read));
        default -> advance(readers.get(chosen), read);
      }
    }
    for (UnboundedReader<String> reader : readers) {
      drain(reader, read);
      reader.close();
    }
    assertThat(read, containsInAnyOrder(topics.everything().toArray()));
    assertThat(topics.open, is(0));
  }

  @Property(tries = 50)
  void thePartitionsAreDealtOutEvenlyAndNoSplitIsEmpty(
      @ForAll @IntRange(min = 1, max = 9) int size,
      @ForAll @IntRange(min = 1, max = 12) int desired)
      throws Exception {
    FakeTopics topics = new FakeTopics();
    topics.grow("a", size);
    List<GrowingSource<String>> sources = new GrowingSource<>(topics).split(desired, OPTIONS);
    assertThat(sources, hasSize(Math.min(size, desired)));
    for (GrowingSource<String> source : sources) {
      List<String> read = new ArrayList<>();
      drain(open(source, null, read), read);
      int most = (size + sources.size() - 1) / sources.size();
      assertThat(read.size(), is(lessThanOrEqualTo(most * RECORDS)));
    }
  }

  @Test
  void aSourceThatIsNotSplitReadsEverything() throws Exception {
    topics.grow("a", 3);
    List<String> read = new ArrayList<>();
    drain(open(new GrowingSource<>(topics), null, read), read);
    assertThat(read, containsInAnyOrder(topics.everything().toArray()));
  }

  @Test
  void theWatermarkStandsWhereItIsUntilThePartitionThatWasAddedHasPassedIt() throws Exception {
    UnboundedReader<String> reader = readerAt(10);
    topics.grow("a", 2);
    assertThat(reader.advance(), is(true));
    assertThat(reader.getWatermark(), is(at(10)));
    topics.watermark("a", 0, 30);
    assertThat(reader.getWatermark(), is(at(10)));
    topics.watermark("a", 1, 20);
    assertThat(reader.getWatermark(), is(at(20)));
  }

  @Test
  void theMarkHasTheWatermarkOfAPartitionThatNobodyHasAskedAboutYet() throws Exception {
    UnboundedReader<String> reader = readerAt(10);
    topics.grow("a", 2);
    reader.advance();
    KafkaCheckpointMark mark = (KafkaCheckpointMark) reader.getCheckpointMark();
    assertThat(
        mark.getPartitions().stream().map(PartitionMark::getWatermarkMillis).toList(),
        is(List.of(at(10).getMillis(), at(10).getMillis())));
  }

  @Test
  void aReaderThatWasNeverStartedHasNothingToClose() throws Exception {
    topics.grow("a", 1);
    GrowingSource<String> source = new GrowingSource<>(topics).split(1, OPTIONS).get(0);
    source.createReader(OPTIONS, null).close();
  }

  private UnboundedReader<String> readerAt(int watermark) throws Exception {
    topics.grow("a", 1);
    GrowingSource<String> source = new GrowingSource<>(topics).split(1, OPTIONS).get(0);
    UnboundedReader<String> reader = open(source, null, new ArrayList<>());
    topics.watermark("a", 0, watermark);
    assertThat(reader.getWatermark(), is(at(watermark)));
    return reader;
  }

  private static UnboundedReader<String> open(
      GrowingSource<String> source, @Nullable KafkaCheckpointMark mark, List<String> read)
      throws Exception {
    UnboundedReader<String> reader = source.createReader(OPTIONS, mark);
    if (reader.start()) {
      read.add(reader.getCurrent());
    }
    return reader;
  }

  private static UnboundedReader<String> reopened(
      GrowingSource<String> source, UnboundedReader<String> reader, List<String> read)
      throws Exception {
    KafkaCheckpointMark mark = (KafkaCheckpointMark) reader.getCheckpointMark();
    reader.close();
    return open(source, CoderUtils.clone(source.getCheckpointMarkCoder(), mark), read);
  }

  private static void drain(UnboundedReader<String> reader, List<String> read) throws Exception {
    boolean more = true;
    while (more) {
      more = advance(reader, read);
    }
  }

  private static boolean advance(UnboundedReader<String> reader, List<String> read)
      throws Exception {
    boolean found = reader.advance();
    if (found) {
      read.add(reader.getCurrent());
    }
    return found;
  }

  private static Instant at(int seconds) {
    return START.plus(Duration.standardSeconds(seconds));
  }

  /**
   * Partitions of {@link #RECORDS} records each, whose readers know at once that there are more.
   */
  private static final class FakeTopics implements GrowingSource.Topics<String> {
    private final Map<String, Integer> sizes = new TreeMap<>();
    private final Map<TopicPartition, Instant> watermarks = new HashMap<>();
    private final Set<TopicSizes> told = new HashSet<>();
    private int open;

    void grow(String topic, int size) {
      sizes.merge(topic, size, Math::max);
      told.forEach(this::tell);
    }

    void tell(TopicSizes reader) {
      sizes.forEach(reader::put);
    }

    void watermark(String topic, int partition, int seconds) {
      watermarks.put(new TopicPartition(topic, partition), at(seconds));
    }

    List<String> everything() {
      List<String> records = new ArrayList<>();
      sizes.forEach(
          (topic, size) -> {
            for (int i = 0; i < size * RECORDS; i++) {
              records.add(topic + "-" + i / RECORDS + " " + i % RECORDS);
            }
          });
      return records;
    }

    @Override
    public Map<String, Integer> sizes() {
      return Map.copyOf(sizes);
    }

    @Override
    public UnboundedSource<String, KafkaCheckpointMark> source(
        List<TopicPartition> partitions, TopicSizes sizes) {
      return new FakeSource(this, partitions, sizes);
    }

    @Override
    public UnboundedSource<String, KafkaCheckpointMark> whole() {
      return new FakeSource(this, List.of(), new TopicSizes());
    }
  }

  /** Keeps to what Beam's source does with a mark. */
  private static final class FakeSource extends UnboundedSource<String, KafkaCheckpointMark> {
    private final FakeTopics topics;
    private final List<TopicPartition> partitions;
    private final TopicSizes sizes;

    FakeSource(FakeTopics topics, List<TopicPartition> partitions, TopicSizes sizes) {
      this.topics = topics;
      this.partitions = partitions;
      this.sizes = sizes;
    }

    @Override
    public List<FakeSource> split(int desiredNumSplits, PipelineOptions options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FakeReader createReader(PipelineOptions options, @Nullable KafkaCheckpointMark mark) {
      topics.open++;
      topics.told.add(sizes);
      List<PartitionMark> marks =
          mark == null
              ? partitions.stream()
                  .map(p -> new PartitionMark(p.topic(), p.partition(), 0, Long.MIN_VALUE))
                  .toList()
              : mark.getPartitions();
      return new FakeReader(this, marks);
    }

    @Override
    public Coder<KafkaCheckpointMark> getCheckpointMarkCoder() {
      return AvroCoder.of(KafkaCheckpointMark.class);
    }

    @Override
    public Coder<String> getOutputCoder() {
      return StringUtf8Coder.of();
    }
  }

  private static final class FakeReader extends UnboundedReader<String> {
    private final FakeSource source;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();
    private final List<Long> floors = new ArrayList<>();
    private final List<Long> asked = new ArrayList<>();
    private String current = "";
    private boolean started;

    FakeReader(FakeSource source, List<PartitionMark> marks) {
      this.source = source;
      for (PartitionMark mark : marks) {
        partitions.add(new TopicPartition(mark.getTopic(), mark.getPartition()));
        offsets.add(mark.getNextOffset());
        floors.add(mark.getWatermarkMillis());
        asked.add(Long.MIN_VALUE);
      }
      assertThat(partitions, is(source.partitions));
    }

    @Override
    public boolean start() {
      started = true;
      source.topics.tell(source.sizes);
      return advance();
    }

    @Override
    public boolean advance() {
      for (int i = 0; i < partitions.size(); i++) {
        long offset = offsets.get(i);
        if (offset < RECORDS) {
          current = partitions.get(i) + " " + offset;
          offsets.set(i, offset + 1);
          return true;
        }
      }
      return false;
    }

    @Override
    public Instant getWatermark() {
      for (int i = 0; i < partitions.size(); i++) {
        Instant reached = source.topics.watermarks.get(partitions.get(i));
        asked.set(
            i, reached == null ? floors.get(i) : Math.max(floors.get(i), reached.getMillis()));
      }
      return Instant.ofEpochMilli(asked.stream().min(Long::compare).orElseThrow());
    }

    @Override
    public KafkaCheckpointMark getCheckpointMark() {
      List<PartitionMark> marks = new ArrayList<>();
      for (int i = 0; i < partitions.size(); i++) {
        TopicPartition partition = partitions.get(i);
        marks.add(
            new PartitionMark(
                partition.topic(), partition.partition(), offsets.get(i), asked.get(i)));
      }
      return new KafkaCheckpointMark(marks, Optional.empty());
    }

    @Override
    public String getCurrent() {
      return current;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return START;
    }

    @Override
    public UnboundedSource<String, KafkaCheckpointMark> getCurrentSource() {
      return source;
    }

    @Override
    public void close() {
      assertThat("there is a consumer to close", started);
      source.topics.open--;
      source.topics.told.remove(source.sizes);
    }
  }
}
