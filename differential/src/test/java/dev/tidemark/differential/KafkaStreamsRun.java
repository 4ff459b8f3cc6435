package dev.tidemark.differential;

import dev.tidemark.event.Event;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.ReferenceWindows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Suppressed;
import org.apache.kafka.streams.kstream.Suppressed.BufferConfig;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.WindowedSerdes;
import org.apache.kafka.streams.state.WindowStore;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * What Kafka Streams makes of the events of a policy with sliding windows, which it calls hopping:
 * a windowed aggregate whose grace period is the allowed lateness, in the topology test driver.
 *
 * <p>An event goes through Kafka Streams as its key and its index in the list. The value of a
 * window is the indices of the events in it.
 *
 * @param updates each update of each window, in order
 * @param finals what {@code suppress} lets through when a window closes
 * @param dropped the metric of dropped records: one for each window that an event missed
 */
record KafkaStreamsRun(List<Pane> updates, List<Pane> finals, long dropped) {

  static KafkaStreamsRun of(Policy policy, List<Event> events) {
    Windowing.Sliding sliding = (Windowing.Sliding) policy.windowing();
    Serde<Windowed<String>> windows =
        WindowedSerdes.timeWindowedSerdeFrom(String.class, sliding.size().getMillis());
    try (TopologyTestDriver driver =
        new TopologyTestDriver(topology(sliding, policy.allowedLateness(), windows))) {
      TestInputTopic<String, Integer> input =
          driver.createInputTopic("events", new StringSerializer(), new IntegerSerializer());
      for (int i = 0; i < events.size(); i++) {
        Event event = events.get(i);
        input.pipeInput(event.key().toString(), i, event.timestamp().getMillis());
      }
      return new KafkaStreamsRun(
          panes(driver, "updates", windows, events),
          panes(driver, "finals", windows, events),
          dropped(driver));
    }
  }

  private static Topology topology(
      Windowing.Sliding sliding, Duration allowedLateness, Serde<Windowed<String>> windows) {
    StreamsBuilder builder = new StreamsBuilder();
    KTable<Windowed<String>, String> table =
        builder.stream("events", Consumed.with(Serdes.String(), Serdes.Integer()))
            .groupByKey()
            .windowedBy(
                TimeWindows.ofSizeAndGrace(
                        JavaTime.of(sliding.size()), JavaTime.of(allowedLateness))
                    .advanceBy(JavaTime.of(sliding.every())))
            .aggregate(
                () -> "",
                (key, index, indices) -> indices + " " + index,
                Materialized.<String, String, WindowStore<Bytes, byte[]>>with(
                        Serdes.String(), Serdes.String())
                    .withStoreType(Materialized.StoreType.IN_MEMORY));
    Produced<Windowed<String>, String> produced = Produced.with(windows, Serdes.String());
    table.toStream().to("updates", produced);
    table
        .suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()))
        .toStream()
        .to("finals", produced);
    return builder.build();
  }

  private static List<Pane> panes(
      TopologyTestDriver driver,
      String topic,
      Serde<Windowed<String>> windows,
      List<Event> events) {
    List<Pane> panes = new ArrayList<>();
    driver
        .createOutputTopic(topic, windows.deserializer(), Serdes.String().deserializer())
        .readKeyValuesToList()
        .forEach(update -> panes.add(pane(update.key, update.value, events)));
    return panes;
  }

  private static Pane pane(Windowed<String> window, String indices, List<Event> events) {
    return new Pane(
        new ReferenceWindows.Window(
            Instant.ofEpochMilli(window.window().start()),
            Instant.ofEpochMilli(window.window().end())),
        Stream.of(indices.strip().split(" ")).map(i -> events.get(Integer.parseInt(i))).toList());
  }

  private static long dropped(TopologyTestDriver driver) {
    return driver.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals("dropped-records-total"))
        .mapToLong(metric -> ((Double) metric.getValue().metricValue()).longValue())
        .sum();
  }
}
