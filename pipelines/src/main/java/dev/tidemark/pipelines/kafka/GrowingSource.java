package dev.tidemark.pipelines.kafka;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.kafka.KafkaCheckpointMark;
import org.apache.beam.sdk.io.kafka.KafkaCheckpointMark.PartitionMark;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.kafka.common.TopicPartition;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Beam's Kafka source, which it reads as it is, of topics that may get more partitions while they
 * are read. Beam's own fixes the partitions when it is split.
 *
 * <p>Kafka numbers the partitions of a topic from 0, and never takes one away. Where a topic had
 * {@code n} of them at the split, one that is added later, of number {@code p}, belongs to the
 * split that has number {@code p mod n}. So each has one reader, whatever the others know, and that
 * reader's consumer is told about the topic anyway.
 *
 * <p>A reader takes a partition on by going over to another of Beam's readers, of one partition
 * more, from the mark of the one before. The mark stays Beam's: it names the partitions, and so it
 * says which of them a reader that is opened from it has.
 *
 * <p>A partition that is taken on is read from its beginning, since what was written before it was
 * found is not to be lost. Its watermark begins where the reader's stands, for that must not go
 * back: an event that is behind it by then is late.
 */
final class GrowingSource<T> extends UnboundedSource<T, KafkaCheckpointMark> {

  /** The topics that are read. */
  interface Topics<T> extends Serializable {

    /** How many partitions each has now. */
    Map<String, Integer> sizes() throws Exception;

    /**
     * Beam's source of some of their partitions.
     *
     * @param sizes where its readers put, while they read and from any thread, how many partitions
     *     these topics have
     */
    UnboundedSource<T, KafkaCheckpointMark> source(
        List<TopicPartition> partitions, TopicSizes sizes);

    /** Beam's source of the topics as a whole; it is asked for its coders. */
    UnboundedSource<T, KafkaCheckpointMark> whole();
  }

  private static final long BEGINNING = 0;

  private final Topics<T> topics;
  private final UnboundedSource<T, KafkaCheckpointMark> whole;
  private final Map<String, Integer> sizesAtSplit;
  private final List<TopicPartition> share;

  /** Before the split. */
  GrowingSource(Topics<T> topics) {
    this(topics, topics.whole(), Map.of(), List.of());
  }

  private GrowingSource(
      Topics<T> topics,
      UnboundedSource<T, KafkaCheckpointMark> whole,
      Map<String, Integer> sizesAtSplit,
      List<TopicPartition> share) {
    this.topics = topics;
    this.whole = whole;
    this.sizesAtSplit = sizesAtSplit;
    this.share = share;
  }

  @Override
  public List<GrowingSource<T>> split(int desiredNumSplits, PipelineOptions options)
      throws Exception {
    Map<String, Integer> sizes = new TreeMap<>(topics.sizes());
    List<List<TopicPartition>> shares = new ArrayList<>();
    int dealt = 0;
    for (TopicPartition partition : partitions(sizes)) {
      if (shares.size() < desiredNumSplits) {
        shares.add(new ArrayList<>());
      }
      shares.get(dealt++ % desiredNumSplits).add(partition);
    }
    return shares.stream().map(share -> new GrowingSource<>(topics, whole, sizes, share)).toList();
  }

  private static List<TopicPartition> partitions(Map<String, Integer> sizes) {
    List<TopicPartition> partitions = new ArrayList<>();
    sizes.forEach(
        (topic, size) -> {
          for (int number = 0; number < size; number++) {
            partitions.add(new TopicPartition(topic, number));
          }
        });
    return partitions;
  }

  @Override
  public UnboundedReader<T> createReader(
      PipelineOptions options, @Nullable KafkaCheckpointMark checkpoint) throws IOException {
    return share.isEmpty()
        ? onlySplit(options).createReader(options, checkpoint)
        : new Reader(options, checkpoint);
  }

  private GrowingSource<T> onlySplit(PipelineOptions options) throws IOException {
    try {
      return split(1, options).get(0);
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public Coder<KafkaCheckpointMark> getCheckpointMarkCoder() {
    return whole.getCheckpointMarkCoder();
  }

  @Override
  public Coder<T> getOutputCoder() {
    return whole.getOutputCoder();
  }

  private final class Reader extends UnboundedReader<T> {
    private final PipelineOptions options;
    private final TopicSizes sizes = new TopicSizes();
    private Map<String, Integer> sizesSeen = Map.of();
    private List<TopicPartition> reading;
    private UnboundedReader<T> kafka;
    private boolean started;

    Reader(PipelineOptions options, @Nullable KafkaCheckpointMark mark) throws IOException {
      this.options = options;
      this.reading = mark == null ? share : partitions(mark);
      this.kafka = topics.source(reading, sizes).createReader(options, mark);
    }

    @Override
    public boolean start() throws IOException {
      started = true;
      return kafka.start();
    }

    @Override
    public boolean advance() throws IOException {
      List<TopicPartition> added = added();
      return added.isEmpty() ? kafka.advance() : takeOn(added);
    }

    private List<TopicPartition> added() {
      if (sizesSeen.equals(sizes.get())) {
        return List.of();
      }
      sizesSeen = sizes.get();
      List<TopicPartition> added = partitions(sizesSeen);
      added.removeIf(partition -> !isOurs(partition) || reading.contains(partition));
      return added;
    }

    private boolean isOurs(TopicPartition partition) {
      int number = partition.partition() % sizesAtSplit.get(partition.topic());
      return share.contains(new TopicPartition(partition.topic(), number));
    }

    private boolean takeOn(List<TopicPartition> added) throws IOException {
      KafkaCheckpointMark mark = getCheckpointMark();
      kafka.close();
      KafkaCheckpointMark extended = extended(mark, added);
      reading = partitions(extended);
      kafka = topics.source(reading, sizes).createReader(options, extended);
      return kafka.start();
    }

    @Override
    public KafkaCheckpointMark getCheckpointMark() {
      // Beam puts in what was last asked for, and the beginning of time where nobody has asked.
      Instant unused = kafka.getWatermark();
      return (KafkaCheckpointMark) kafka.getCheckpointMark();
    }

    @Override
    public Instant getWatermark() {
      return kafka.getWatermark();
    }

    @Override
    public T getCurrent() {
      return kafka.getCurrent();
    }

    @Override
    public Instant getCurrentTimestamp() {
      return kafka.getCurrentTimestamp();
    }

    @Override
    public long getSplitBacklogBytes() {
      return kafka.getSplitBacklogBytes();
    }

    @Override
    public UnboundedSource<T, KafkaCheckpointMark> getCurrentSource() {
      return GrowingSource.this;
    }

    @Override
    public void close() throws IOException {
      sizes.close();
      if (started) { // before, Beam's reader has nothing to close, and fails where it is to commit
        kafka.close();
      }
    }
  }

  private static List<TopicPartition> partitions(KafkaCheckpointMark mark) {
    return mark.getPartitions().stream()
        .map(partition -> new TopicPartition(partition.getTopic(), partition.getPartition()))
        .toList();
  }

  private static KafkaCheckpointMark extended(
      KafkaCheckpointMark mark, List<TopicPartition> added) {
    List<PartitionMark> marks = new ArrayList<>(mark.getPartitions());
    long watermark =
        marks.stream().mapToLong(PartitionMark::getWatermarkMillis).min().orElseThrow();
    for (TopicPartition partition : added) {
      marks.add(new PartitionMark(partition.topic(), partition.partition(), BEGINNING, watermark));
    }
    return new KafkaCheckpointMark(marks, Optional.empty());
  }
}
