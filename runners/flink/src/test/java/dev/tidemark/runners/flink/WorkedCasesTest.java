package dev.tidemark.runners.flink;

import dev.tidemark.testkit.WorkedCase;
import dev.tidemark.transforms.InModelTerms;
import dev.tidemark.transforms.ScriptedRun;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The worked cases on Flink, where they are streams. */
class WorkedCasesTest {

  static List<WorkedCase> cases() throws IOException {
    return WorkedCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theCaseComesOutAsWorked(WorkedCase worked) throws IOException {
    ScriptedRun run = ScriptedRun.of(worked.policy(), worked.steps());
    worked.assertExpects(InModelTerms.results(run), InModelTerms.tooLate(run));
  }
}
