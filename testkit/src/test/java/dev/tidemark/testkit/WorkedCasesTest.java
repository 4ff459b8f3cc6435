package dev.tidemark.testkit;

import java.io.IOException;
import java.util.List;
import org.joda.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference model against the worked cases. */
class WorkedCasesTest {

  static List<WorkedCase> cases() throws IOException {
    return WorkedCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theModelSaysWhatTheCaseExpects(WorkedCase worked) throws IOException {
    ReferenceModel.Outcome outcome =
        ReferenceModel.run(worked.policy(), worked.steps(), Duration.standardMinutes(1));
    worked.assertExpects(outcome.results(), outcome.tooLate());
  }
}
