package dev.tidemark.runners.spark;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.Command;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What SparkRunner cannot do is said in one line. */
class SparkUsageTest {

  @ParameterizedTest
  @CsvSource({
    "--topic=payments, --topic: SparkRunner reads files only; allowed: --input",
    "--topicPattern=pay.*, --topicPattern: SparkRunner reads files only; allowed: --input",
    "--deadLetterRollBytes=5, --deadLetterRollBytes: on SparkRunner files do not roll; allowed: 0",
  })
  void isRefused(String option, String message) {
    Command.Outcome outcome =
        Command.runHere("run", "--runner=SparkRunner", "--policy=p.yaml", option);
    assertThat(outcome.errLines(), is(List.of("tidemark: " + message)));
    assertThat(outcome.err(), outcome.exitCode(), is(2));
  }
}
