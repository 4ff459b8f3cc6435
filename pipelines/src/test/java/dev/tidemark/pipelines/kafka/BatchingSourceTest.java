package dev.tidemark.pipelines.kafka;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.testkit.UnboundedNumbers;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.apache.beam.sdk.io.UnboundedSource.UnboundedReader;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

/** A source whose numbers are each a second older than the one before. */
class BatchingSourceTest {
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");

  @Test
  void givesAtOnceWhatThereIsInItsOrderAndStampedWithTheEarliestTime() throws Exception {
    UnboundedReader<List<TimestampedValue<Long>>> reader = reader(3);
    begin(reader);
    assertThat(reader.advance(), is(true));
    assertThat(numbers(reader.getCurrent()), is(List.of(0L, 1L, 2L)));
    assertThat(reader.getCurrent().get(1).getTimestamp(), is(time(1)));
    assertThat(reader.getCurrentTimestamp(), is(time(2)));
    assertThat(reader.advance(), is(false));
  }

  @Test
  void givesNoMoreThanItMayAtOnceAndLeavesNoneOut() throws Exception {
    int most = BatchingSource.MOST;
    UnboundedReader<List<TimestampedValue<Long>>> reader = reader(most + 1);
    begin(reader);
    assertThat(reader.advance(), is(true));
    assertThat(numbers(reader.getCurrent()), is(LongStream.range(0, most).boxed().toList()));
    assertThat(reader.advance(), is(true));
    assertThat(numbers(reader.getCurrent()), is(List.of((long) most)));
    assertThat(reader.advance(), is(false));
  }

  @Test
  void givesNothingWhereThereIsNothing() throws Exception {
    UnboundedReader<List<TimestampedValue<Long>>> reader = reader(0);
    begin(reader);
    assertThat(reader.advance(), is(false));
    assertThrows(NoSuchElementException.class, reader::getCurrent);
  }

  @Test
  void givesEmptyBatchesUntilTheWatermarkIsPassedOn() throws Exception {
    PipelineOptions options = PipelineOptionsFactory.create();
    options.as(BatchingOptions.class).setEmptyBatches(2L);
    UnboundedReader<List<TimestampedValue<Long>>> reader = reader(1, options);
    assertThat(reader.start(), is(true));
    assertThat(reader.getCurrent(), is(List.of()));
    assertEmptyBatch(reader);
    assertThat(reader.getWatermark(), is(BoundedWindow.TIMESTAMP_MIN_VALUE));
    assertEmptyBatch(reader);
    reader.getWatermark();
    assertEmptyBatch(reader);
    assertEmptyBatch(reader);
    assertThat(reader.advance(), is(true));
    assertThat(numbers(reader.getCurrent()), is(List.of(0L)));
  }

  private static void assertEmptyBatch(UnboundedReader<List<TimestampedValue<Long>>> reader)
      throws Exception {
    assertThat(reader.advance(), is(true));
    assertThat(reader.getCurrent(), is(List.of()));
  }

  /** As a runner does. */
  private static void begin(UnboundedReader<?> reader) throws Exception {
    reader.start();
    reader.getWatermark();
    reader.getWatermark();
  }

  private static List<Long> numbers(List<TimestampedValue<Long>> batch) {
    return batch.stream().map(TimestampedValue::getValue).toList();
  }

  private static UnboundedReader<List<TimestampedValue<Long>>> reader(long numbers)
      throws Exception {
    return reader(numbers, PipelineOptionsFactory.create());
  }

  private static UnboundedReader<List<TimestampedValue<Long>>> reader(
      long numbers, PipelineOptions options) throws Exception {
    return new BatchingSource<>(
            UnboundedNumbers.of(numbers, BatchingSourceTest::time, number -> START))
        .createReader(options, null);
  }

  private static Instant time(long number) {
    return START.minus(Duration.standardSeconds(number));
  }
}
