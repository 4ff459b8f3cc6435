package dev.tidemark.gcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.dlq.ParseEvents;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.transforms.WindowedAggregation;
import java.util.Map;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages whose data is far older than their publish time, which the watermark follows. */
@ExtendWith(PipelineExtension.class)
class OldPayloadTest {
  private static final Instant PUBLISHED = Instant.parse("2026-07-04T12:00:00.000Z");

  @Test
  void whatIsOlderThanItsMessageIsLateOrTooLateAndNeverDropped(TestPipeline pipeline)
      throws Exception {
    Policy policy =
        PolicyLoader.parse(
            """
            metric: m
            version: "1"
            timestamp: /t
            key: {}
            window: {fixed: {size: 1m}}
            allowedLateness: 1h
            aggregates: {n: count}
            """,
            "policy.yaml");
    WallClock clock = () -> PUBLISHED;
    ParseEvents.Output parsed =
        pipeline
            .apply(
                "Messages",
                TestStream.create(RawRecordCoder.of())
                    .advanceWatermarkTo(PUBLISHED)
                    .addElements(
                        message("0001-01-01T00:00:00Z"),
                        message("2016-07-04T12:00:00Z"),
                        message("2026-07-04T11:30:00Z"),
                        message("2026-07-04T12:00:00Z"))
                    .advanceWatermarkToInfinity())
            .apply("Parse", ParseEvents.of(policy).withWallClock(clock));
    WindowedAggregation.Output aggregated =
        parsed.events().apply("Aggregate", WindowedAggregation.of(policy).withWallClock(clock));

    PAssert.that(parsed.deadLetters()).empty();
    PAssert.that(starts("Results", aggregated.results(), result -> result.window().start()))
        .containsInAnyOrder("2026-07-04T11:30:00.000Z", "2026-07-04T12:00:00.000Z");
    PAssert.that(starts("Too late", aggregated.tooLate(), late -> late.window().start()))
        .containsInAnyOrder("0001-01-01T00:00:00.000Z", "2016-07-04T12:00:00.000Z");
    pipeline.run().waitUntilFinish();
  }

  private static TimestampedValue<RawRecord> message(String time) {
    Origin origin =
        new Origin.Message("projects/p-1/subscriptions/s-1", "1", PUBLISHED, null, Map.of());
    byte[] data = "{\"t\":\"%s\"}".formatted(time).getBytes(UTF_8);
    return TimestampedValue.of(new RawRecord(data, origin, PUBLISHED), PUBLISHED);
  }

  private static <T> PCollection<String> starts(
      String name, PCollection<T> elements, SerializableFunction<T, Instant> start) {
    return elements.apply(
        name,
        MapElements.into(TypeDescriptors.strings())
            .via(element -> start.apply(element).toString()));
  }
}
