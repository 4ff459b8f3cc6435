package dev.tidemark.pipelines.kafka;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.testkit.UnboundedNumbers;
import java.util.List;
import org.apache.beam.sdk.io.UnboundedSource.UnboundedReader;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A source that has more to give than it is asked for. */
class StoppingSourceTest {
  private static final Instant STOP = Instant.parse("2026-07-04T10:00:00Z");
  private static final Instant BEFORE = STOP.minus(Duration.millis(1));
  private static final Instant WATERMARK = Instant.parse("2026-07-04T09:00:00Z");

  private Instant now = BEFORE;

  @Test
  void passesOnWhatTheSourceSaysUntilItStops() throws Exception {
    UnboundedReader<Long> reader = reader(STOP);
    assertThat(reader.start(), is(true));
    assertThat(reader.advance(), is(true));
    assertThat(reader.getCurrent(), is(1L));
    assertThat(reader.getWatermark(), is(WATERMARK));
  }

  @Test
  void givesNoRecordOnceItStopsAndOnlyThenIsTheWatermarkAtInfinity() throws Exception {
    UnboundedReader<Long> reader = reader(STOP);
    reader.start();
    now = STOP;
    assertThat(reader.getWatermark(), is(WATERMARK)); // it may still give one
    assertThat(reader.advance(), is(false));
    assertThat(reader.getWatermark(), is(BoundedWindow.TIMESTAMP_MAX_VALUE));
  }

  @Test
  void staysStoppedIfTheClockIsSetBack() throws Exception {
    UnboundedReader<Long> reader = reader(STOP);
    reader.start();
    now = STOP;
    reader.advance();
    now = BEFORE;
    assertThat(reader.advance(), is(false));
  }

  @Test
  void aReaderOpenedAfterItStoppedGivesNothing() throws Exception {
    now = STOP;
    UnboundedReader<Long> reader = reader(STOP);
    assertThat(reader.start(), is(false));
    assertThat(reader.getWatermark(), is(BoundedWindow.TIMESTAMP_MAX_VALUE));
  }

  @Test
  void goesOnWithoutEndIfItIsToldNone() throws Exception {
    now = BoundedWindow.TIMESTAMP_MAX_VALUE;
    assertThat(reader(null).start(), is(true));
  }

  private UnboundedReader<Long> reader(@Nullable Instant stopAt) throws Exception {
    EventTimePolicies policies = new EventTimePolicies(List.of(), () -> now);
    UnboundedNumbers numbers = UnboundedNumbers.of(10, number -> WATERMARK, number -> WATERMARK);
    return new StoppingSource<>(numbers, policies, () -> now, stopAt)
        .split(1, PipelineOptionsFactory.create())
        .get(0)
        .createReader(PipelineOptionsFactory.create(), null);
  }
}
