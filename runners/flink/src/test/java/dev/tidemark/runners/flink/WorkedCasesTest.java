package dev.tidemark.runners.flink;

import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.WorkedCase;
import dev.tidemark.transforms.ScriptedRun;
import dev.tidemark.transforms.UpToBundles;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The worked cases on Flink, where they are streams; see {@link RandomArrivalsTest}. */
class WorkedCasesTest {

  static List<WorkedCase> cases() throws IOException {
    return WorkedCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void windowsComeToWhatTheCaseSays(WorkedCase worked) {
    UpToBundles.assertSame(
        new Scenario(worked.policy(), worked.steps()),
        ScriptedRun.of(worked.policy(), worked.steps()));
  }
}
