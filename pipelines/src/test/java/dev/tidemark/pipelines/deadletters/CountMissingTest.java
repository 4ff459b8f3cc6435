package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.DeadLetterCoder;
import dev.tidemark.dlq.Reason;
import dev.tidemark.dlq.ReparseDeadLetters;
import dev.tidemark.event.Event;
import dev.tidemark.event.EventCoder;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.testkit.PipelineExtension;
import java.util.Collections;
import java.util.List;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(PipelineExtension.class)
class CountMissingTest {
  private static final Instant TIME = Instant.parse("2026-07-04T10:00:00Z");
  private static final RawRecord RAW =
      new RawRecord(new byte[0], new Origin.FileLine("events.ndjson", 0, 1L), TIME);
  private static final Event EVENT = new Event(new EventKey(List.of()), TIME, List.of(), RAW);
  private static final DeadLetter DEAD =
      new DeadLetter(Reason.NOT_JSON, "broken", null, RAW, "m", "1", 1);

  @ParameterizedTest
  @CsvSource({"0, 0, 0, 0, 0", "9, 4, 3, 2, 0", "9, 3, 3, 2, 1", "9, 4, 2, 2, 1", "9, 4, 3, 1, 1"})
  void isWhatWentInAndDidNotComeOut(
      int in, int events, int deadLetters, int severe, long missing, TestPipeline pipeline) {
    ReparseDeadLetters.Output parsed =
        new ReparseDeadLetters.Output(
            pipeline.apply(
                "Events", Create.of(Collections.nCopies(events, EVENT)).withCoder(EventCoder.of())),
            deadLetters(pipeline, "Dead letters", deadLetters),
            deadLetters(pipeline, "Severe", severe));
    PCollection<Long> counted =
        deadLetters(pipeline, "Read", in).apply("Count", CountMissing.in(parsed));
    PAssert.thatSingleton(counted).isEqualTo(missing);
    pipeline.run();
  }

  private static PCollection<DeadLetter> deadLetters(
      TestPipeline pipeline, String step, int number) {
    return pipeline.apply(
        step, Create.of(Collections.nCopies(number, DEAD)).withCoder(DeadLetterCoder.of()));
  }
}
