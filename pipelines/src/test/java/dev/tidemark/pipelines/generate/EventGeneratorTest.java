package dev.tidemark.pipelines.generate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The sample files of {@code testdata/events} are written anew by {@code tidemark generate --kind=…
 * --events=… --seed=… --output=testdata/events/…}, with the numbers below.
 */
class EventGeneratorTest {
  private static final Path EVENTS =
      Path.of(System.getProperty("tidemark.root"), "testdata", "events");

  @ParameterizedTest
  @CsvSource({
    "payments-1.ndjson, PAYMENTS, 3000, 1",
    "payments-2.ndjson, PAYMENTS, 3000, 2",
    "clicks.ndjson, CLICKS, 3000, 3",
    "escalations.ndjson, ESCALATIONS, 2000, 4",
    "telemetry.ndjson, TELEMETRY, 3000, 5",
    "telemetry.csv, TELEMETRY_CSV, 3000, 6",
  })
  void theSampleFilesAreWhatTheGeneratorWrites(String file, EventKind kind, long events, long seed)
      throws IOException {
    assertThat(generate(kind, events, seed), is(Files.readString(EVENTS.resolve(file))));
  }

  @Test
  void anotherSeedGivesOtherEvents() throws IOException {
    assertThat(generate(EventKind.PAYMENTS, 10, 1), is(not(generate(EventKind.PAYMENTS, 10, 2))));
  }

  private static String generate(EventKind kind, long events, long seed) throws IOException {
    StringWriter out = new StringWriter();
    EventGenerator.of(kind, seed).write(events, out);
    return out.toString();
  }
}
