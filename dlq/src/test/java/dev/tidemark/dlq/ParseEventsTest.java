package dev.tidemark.dlq;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.Reify;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ParseEventsTest {
  private final Pipeline pipeline = Pipeline.create();

  @Test
  void eachLineOfTheDeadLettersCaseEndsInOneOutputAndIsCounted() throws IOException {
    ParseEvents.Output output = parse(deadLettersCase(), BoundedWindow.TIMESTAMP_MIN_VALUE);
    PAssert.that(map("Times", output.events(), event -> event.timestamp().toString()))
        .containsInAnyOrder("2026-07-04T10:00:01.000Z", "2026-07-04T10:00:04.000Z");
    PAssert.that(map("Reasons", output.deadLetters(), deadLetter -> deadLetter.reason().name()))
        .containsInAnyOrder(
            "NOT_JSON",
            "NOT_JSON",
            "NOT_AN_OBJECT",
            "MISSING_TIMESTAMP",
            "BAD_TIMESTAMP",
            "BAD_TIMESTAMP",
            "MISSING_KEY",
            "MISSING_KEY",
            "MISSING_FIELD",
            "BAD_FIELD");

    assertThat(
        counters(pipeline.run()),
        is(
            Map.of(
                "read", 12L,
                "events", 2L,
                "deadLetters", 10L,
                "deadLetters.NOT_JSON", 2L,
                "deadLetters.NOT_AN_OBJECT", 1L,
                "deadLetters.MISSING_TIMESTAMP", 1L,
                "deadLetters.BAD_TIMESTAMP", 2L,
                "deadLetters.MISSING_KEY", 2L,
                "deadLetters.MISSING_FIELD", 1L,
                "deadLetters.BAD_FIELD", 1L)));
  }

  static List<Instant> sourceTimes() {
    return List.of(BoundedWindow.TIMESTAMP_MIN_VALUE, Samples.ARRIVED, Samples.NOW);
  }

  @ParameterizedTest
  @MethodSource("sourceTimes")
  void anEventIsStampedWithItsTimeAndADeadLetterKeepsItsSourceTime(Instant sourceTime) {
    ParseEvents.Output output =
        parse(
            List.of(
                Samples.raw("{\"k\":\"a\",\"t\":\"0001-01-01T00:00:00Z\",\"v\":1}"),
                Samples.raw("{\"k\":\"a\",\"t\":\"2026-07-04T12:01:00Z\",\"v\":1}"),
                Samples.raw("{\"k\":\"a\",\"t\":\"2026-07-04T12:06:00Z\",\"v\":1}")),
            sourceTime);
    PAssert.that(stamps("events", output.events()))
        .containsInAnyOrder("0001-01-01T00:00:00.000Z", "2026-07-04T12:01:00.000Z");
    PAssert.that(stamps("dead letters", output.deadLetters()))
        .containsInAnyOrder(sourceTime.toString());
    pipeline.run().waitUntilFinish();
  }

  private ParseEvents.Output parse(List<RawRecord> records, Instant sourceTime) {
    List<TimestampedValue<RawRecord>> stamped =
        records.stream().map(record -> TimestampedValue.of(record, sourceTime)).toList();
    return pipeline
        .apply("Read", Create.timestamped(stamped).withCoder(RawRecordCoder.of()))
        .apply("Parse", ParseEvents.of(Samples.policy()).withWallClock(Samples.FIXED_CLOCK));
  }

  private static <T> PCollection<String> stamps(String name, PCollection<T> elements) {
    return map(
        name,
        elements.apply("Reify " + name, Reify.timestamps()),
        element -> element.getTimestamp().toString());
  }

  private static <T> PCollection<String> map(
      String name, PCollection<T> elements, SerializableFunction<T, String> function) {
    return elements.apply(name, MapElements.into(TypeDescriptors.strings()).via(function));
  }

  private static List<RawRecord> deadLettersCase() throws IOException {
    Path events =
        Path.of(System.getProperty("tidemark.root"), "testdata/cases/dead-letters/events.ndjson");
    return Files.readAllLines(events).stream().map(Samples::raw).toList();
  }

  private static Map<String, Long> counters(PipelineResult result) {
    result.waitUntilFinish();
    Map<String, Long> counters = new HashMap<>();
    result
        .metrics()
        .queryMetrics(
            MetricsFilter.builder().addNameFilter(MetricNameFilter.inNamespace("tidemark")).build())
        .getCounters()
        .forEach(counter -> counters.put(counter.getName().getName(), counter.getCommitted()));
    counters.values().removeIf(count -> count == 0);
    return counters;
  }
}
