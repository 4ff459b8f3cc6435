package dev.tidemark.benchmarks.kafkastreams;

import dev.tidemark.benchmarks.plain.Click;
import dev.tidemark.benchmarks.plain.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.Stores;

/**
 * The jobs in Kafka Streams' DSL, as one would write them who knows it: a record is parsed once, in
 * its deserializer; state behind a cache that it fits in, and without changelogs. It ends once
 * every click of the topic has been counted; over topics, it goes on.
 *
 * <p>The grace period is a day: threads read partitions at their own pace, and one that is ahead
 * would make the clicks of the others late.
 */
public final class KafkaStreamsPeer {
  private static final Duration GRACE = Duration.ofDays(1);
  private static final long TELL_MILLIS = 1_000;
  private static final long CACHE_BYTES = 512 << 20;

  private final Job job;
  private final AtomicLong left;
  private final CountDownLatch done = new CountDownLatch(1);
  private final StreamsBuilder builder = new StreamsBuilder();

  private KafkaStreamsPeer(Job job, long clicks) {
    this.job = job;
    this.left = new AtomicLong(clicks);
  }

  /**
   * Runs a job in this process.
   *
   * @param args the job, the bootstrap servers, the topic, the number of its clicks, the directory
   *     of the answer, which is made, and the number of threads; of a job over topics, the topic of
   *     the answer in place of the directory
   */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    Job job = Job.valueOf(args[0]);
    KafkaStreamsPeer peer = new KafkaStreamsPeer(job, Long.parseLong(args[3]));
    Properties properties = properties(args[1], args[5]);
    if (job.isOverTopics()) {
      properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, Job.EARLY.toMillis());
      peer.sendCountAndSum(args[2], args[4]);
      tellWhileRunning(new KafkaStreams(peer.builder.build(), properties));
      return;
    }
    Answer<?> answer = peer.answer(args[2]);
    try (KafkaStreams streams = new KafkaStreams(peer.builder.build(), properties)) {
      streams.start();
      peer.done.await();
      tell(streams);
    }
    answer.write(Files.createDirectories(Path.of(args[4])).resolve("answer.csv"));
    System.out.printf("job seconds: %.3f%n", (System.nanoTime() - start) / 1e9);
  }

  private static void tellWhileRunning(KafkaStreams streams) throws InterruptedException {
    streams.start();
    while (streams.state().isRunningOrRebalancing()) {
      Thread.sleep(TELL_MILLIS); // between two looks; nothing depends on how long
      tell(streams);
    }
  }

  /** How many bytes have been sent to the topics between one step and the next. */
  private static void tell(KafkaStreams streams) {
    double bytes =
        streams.metrics().values().stream()
            .filter(KafkaStreamsPeer::isSentToRepartition)
            .mapToDouble(metric -> (double) metric.metricValue())
            .sum();
    System.out.printf("shuffled bytes: %.0f%n", bytes);
  }

  private static boolean isSentToRepartition(Metric metric) {
    MetricName name = metric.metricName();
    return name.group().equals("producer-topic-metrics")
        && name.name().equals("byte-total")
        && name.tags().getOrDefault("topic", "").endsWith("-repartition");
  }

  private static Properties properties(String bootstrapServers, String threads)
      throws java.io.IOException {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "peer-" + UUID.randomUUID());
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
    properties.put(
        StreamsConfig.STATE_DIR_CONFIG, Files.createTempDirectory("kafka-streams").toString());
    properties.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    return properties;
  }

  private Answer<?> answer(String topic) {
    return switch (job) {
      case J1, J5 -> {
        Answer<CountAndSum> answer = new Answer<>(0);
        countAndSum(clicks(topic)).foreach(answer);
        yield answer;
      }
      case J3 -> sessions(clicks(topic));
      default -> throw new IllegalArgumentException("not written for Kafka Streams: " + job);
    };
  }

  /** What has changed since, whenever the cache is flushed: with each commit. */
  private void sendCountAndSum(String from, String to) {
    Answer<CountAndSum> answer = new Answer<>(0);
    countAndSum(clicks(from))
        .map((window, value) -> KeyValue.pair(window.key(), answer.line(window, value)))
        .to(to, Produced.with(Serdes.String(), Serdes.String()));
  }

  private KStream<byte[], Click> clicks(String topic) {
    return builder.stream(
        topic,
        Consumed.with(
                Serdes.ByteArray(),
                Serdes.serdeFrom((unused, click) -> new byte[0], new ClickDeserializer(job)))
            .withTimestampExtractor((record, unused) -> ((Click) record.value()).time()));
  }

  private KStream<Windowed<String>, CountAndSum> countAndSum(KStream<byte[], Click> clicks) {
    return clicks
        .map((unused, click) -> KeyValue.pair(click.url(), click.bytes()))
        .groupByKey(Grouped.with(Serdes.String(), Serdes.Long()))
        .windowedBy(TimeWindows.ofSizeAndGrace(job.fixed(), GRACE))
        .aggregate(
            () -> CountAndSum.NONE,
            (url, bytes, countAndSum) -> counted(countAndSum.plus(bytes)),
            Materialized.<String, CountAndSum>as(
                    Stores.inMemoryWindowStore(
                        "windows", GRACE.plus(job.fixed()), job.fixed(), false))
                .withKeySerde(Serdes.String())
                .withValueSerde(CountAndSum.SERDE)
                .withCachingEnabled()
                .withLoggingDisabled())
        .toStream();
  }

  /** On disk, as the store in memory looks through the sessions of all users for those of one. */
  private Answer<Long> sessions(KStream<byte[], Click> clicks) {
    Answer<Long> answer = new Answer<>(Job.GAP.toMillis());
    clicks
        .map((unused, click) -> KeyValue.pair(click.user(), 1L))
        .groupByKey(Grouped.with(Serdes.String(), Serdes.Long()))
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(Job.GAP, GRACE))
        .aggregate(
            () -> 0L,
            (user, one, count) -> counted(count + 1),
            (user, a, b) -> a + b,
            Materialized.<String, Long>as(
                    Stores.persistentSessionStore("sessions", GRACE.plus(Job.GAP)))
                .withKeySerde(Serdes.String())
                .withValueSerde(Serdes.Long())
                .withCachingEnabled()
                .withLoggingDisabled())
        .toStream()
        .foreach(answer);
    return answer;
  }

  private <V> V counted(V value) {
    if (left.decrementAndGet() == 0) {
      done.countDown();
    }
    return value;
  }
}
