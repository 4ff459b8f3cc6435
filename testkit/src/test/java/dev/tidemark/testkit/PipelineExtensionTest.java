package dev.tidemark.testkit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.is;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import java.util.List;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestPipeline.AbandonedNodeException;
import org.apache.beam.sdk.testing.TestPipeline.PipelineRunMissingException;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollection;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

class PipelineExtensionTest {

  @ParameterizedTest
  @ValueSource(strings = {"runs", "usesNoPipeline", "leavesThePipelineEmpty"})
  void passesATestThatRunsWhatItBuilt(String test) {
    assertThat(failuresOf(test), empty());
  }

  @Test
  void failsATestThatForgetsToRun() {
    assertThat(failuresOf("forgetsToRun"), contains(ofType(PipelineRunMissingException.class)));
  }

  @Test
  void failsATestThatAppliesSomethingAfterTheRun() {
    assertThat(failuresOf("appliesAfterTheRun"), contains(ofType(AbandonedNodeException.class)));
  }

  @Test
  void failsATestWhoseAssertionFailsInThePipeline() {
    assertThat(failuresOf("assertsWrongly"), contains(ofType(AssertionError.class)));
  }

  @Test
  void givesEachInvocationOfAParameterizedTestItsOwnPipeline() {
    assertThat(
        failuresOf("runsForEvenNumbers"), contains(ofType(PipelineRunMissingException.class)));
  }

  private static Matcher<Throwable> ofType(Class<? extends Throwable> type) {
    return instanceOf(type);
  }

  private static List<Throwable> failuresOf(String test) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    String parameters = test.equals("usesNoPipeline") ? "" : TestPipeline.class.getName();
    if (test.equals("runsForEvenNumbers")) {
      parameters = "int," + parameters;
    }
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(Examples.class, test, parameters))
                .filters(includeEngines("junit-jupiter"))
                .build(),
            summary);
    assertThat(summary.getSummary().getTestsStartedCount() > 0, is(true));
    return summary.getSummary().getFailures().stream()
        .map(failure -> failure.getException())
        .toList();
  }

  /** Run by the tests above only: a nested class is not a test to the build. */
  @ExtendWith(PipelineExtension.class)
  static class Examples {

    @Test
    void runs(TestPipeline pipeline) {
      PAssert.that(numbers(pipeline)).containsInAnyOrder(1, 2);
      pipeline.run();
      assertThat(pipeline.getOptions().getRunner(), is((Object) DirectRunner.class));
    }

    @Test
    void usesNoPipeline() {}

    @Test
    void leavesThePipelineEmpty(TestPipeline pipeline) {
      assertThat(pipeline.getOptions().getRunner(), is((Object) DirectRunner.class));
    }

    @Test
    void forgetsToRun(TestPipeline pipeline) {
      numbers(pipeline);
    }

    @Test
    void appliesAfterTheRun(TestPipeline pipeline) {
      PCollection<Integer> numbers = numbers(pipeline);
      pipeline.run();
      PAssert.that(numbers).empty();
    }

    @Test
    void assertsWrongly(TestPipeline pipeline) {
      PAssert.that(numbers(pipeline)).empty();
      pipeline.run();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void runsForEvenNumbers(int number, TestPipeline pipeline) {
      numbers(pipeline);
      if (number % 2 == 0) {
        pipeline.run();
      }
    }

    private static PCollection<Integer> numbers(TestPipeline pipeline) {
      return pipeline.apply("Numbers", Create.of(1, 2));
    }
  }
}
