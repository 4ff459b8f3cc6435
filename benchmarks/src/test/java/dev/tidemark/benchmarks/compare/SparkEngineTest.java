package dev.tidemark.benchmarks.compare;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkEngineTest {
  private static final Measurement UNTOLD = new Measurement(1, 1, 1.0, 1, null, null, null);
  private static final String TASK =
      """
      {"Event":"SparkListenerTaskEnd","Task Metrics":{"Shuffle Write Metrics":\
      {"Shuffle Bytes Written":%d}}}
      """;
  private static final String PROGRESS =
      """
      {"Event":"org.apache.spark.sql.streaming.StreamingQueryListener$QueryProgressEvent",\
      "progress":{"stateOperators":[{"memoryUsedBytes":%d},{"memoryUsedBytes":%d}]}}
      """;
  private static final String OTHER = "{\"Event\":\"SparkListenerLogStart\"}\n";

  @TempDir private Path eventLog;

  private Measurement completed(String events) throws IOException {
    Files.writeString(eventLog.resolve("local-1"), events);
    return new SparkEngine(new TidemarkEngine("spark", List.of(), List.of()), eventLog)
        .completed(UNTOLD);
  }

  @Test
  void whatItsTasksHaveWrittenIsAdded() throws IOException {
    Measurement measurement =
        completed(OTHER + TASK.formatted(1 << 20) + OTHER + TASK.formatted(1 << 19));

    assertThat(measurement.shuffledMebibytes(), is(1.5));
    assertThat(measurement.stateMebibytes(), nullValue());
  }

  @Test
  void theStateIsThatOfAllOperatorsAfterTheLastMicroBatch() throws IOException {
    Measurement measurement =
        completed(PROGRESS.formatted(1 << 22, 1 << 22) + PROGRESS.formatted(1 << 20, 1 << 21));

    assertThat(measurement.stateMebibytes(), is(3.0));
  }
}
