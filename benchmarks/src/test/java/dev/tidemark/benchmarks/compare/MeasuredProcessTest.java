package dev.tidemark.benchmarks.compare;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredProcessTest {
  @TempDir private Path directory;

  private Measurement run(String script) throws Exception {
    return MeasuredProcess.run(
        new ProcessBuilder("sh", "-c", script), () -> false, directory.resolve("log"));
  }

  @Test
  void whatTheProcessTellsLastStands() throws Exception {
    Measurement measurement =
        run(
            """
            echo 'shuffled bytes: 7'
            echo 'state bytes: 1048576'
            echo 'shuffled bytes: 3145728'
            echo 'state bytes: 524288' >&2
            echo 'job seconds: 1.5'
            """);

    assertThat(measurement.shuffledMebibytes(), is(3.0));
    assertThat(measurement.stateMebibytes(), is(0.5));
    assertThat(measurement.jobSeconds(), is(1.5));
  }

  @Test
  void theCommandTellsItsTimeInItsSummary() throws Exception {
    assertThat(run("echo 'read 1,000 records in 2.5 s'").jobSeconds(), is(2.5));
  }

  @Test
  void whatItDoesNotTellIsNotKnown() throws Exception {
    Measurement measurement = run("true");

    assertThat(measurement.jobSeconds(), nullValue());
    assertThat(measurement.shuffledMebibytes(), nullValue());
    assertThat(measurement.stateMebibytes(), nullValue());
    assertThat(measurement.results(), nullValue());
  }
}
