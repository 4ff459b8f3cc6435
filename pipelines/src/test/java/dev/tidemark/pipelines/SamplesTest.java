package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import dev.tidemark.dlq.Reason;
import dev.tidemark.dlq.RecordParser;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.policy.PolicyLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.joda.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The policies and events of {@code testdata}, which examples start from. */
class SamplesTest {
  private static final Path TESTDATA = Path.of(System.getProperty("tidemark.root"), "testdata");
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "revenue-per-store, payments-1.ndjson",
    "revenue-per-store, payments-2.ndjson",
    "revenue-retracting, payments-1.ndjson",
    "payments-every-hundred, payments-1.ndjson",
    "latency-per-page, clicks.ndjson",
    "visits-per-user, clicks.ndjson",
    "escalations-per-business-day, escalations.ndjson",
    "exposure-per-fiscal-quarter, escalations.ndjson",
    "escalations-per-reporting-period, escalations.ndjson",
    "temperature-per-device, telemetry.ndjson",
    "temperature-per-device-csv, telemetry.csv",
  })
  void aPolicyReadsItsEventsAndRefusesOnlyTheBrokenOnes(String policy, String events)
      throws Exception {
    List<String> lines = Files.readAllLines(TESTDATA.resolve("events").resolve(events));
    List<Reason> refused = new ArrayList<>();
    RecordParser parser = parser(TESTDATA.resolve("policies").resolve(policy + ".yaml"));
    for (String line : lines) {
      if (parser.parse(record(line)) instanceof RecordParser.Rejected rejected) {
        refused.add(rejected.deadLetter().reason());
      }
    }

    assertThat(refused.size(), lessThanOrEqualTo(lines.size() / 100));
    assertThat(EnumSet.copyOf(refused).size(), greaterThanOrEqualTo(4));
  }

  private static RecordParser parser(Path policy) throws Exception {
    return RecordParser.of(PolicyLoader.load(policy.toString())).withWallClock(() -> NOW);
  }

  private static RawRecord record(String line) {
    return new RawRecord(
        line.getBytes(StandardCharsets.UTF_8), new Origin.FileLine("events", 0, null), NOW);
  }
}
