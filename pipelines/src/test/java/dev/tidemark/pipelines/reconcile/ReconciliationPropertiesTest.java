package dev.tidemark.pipelines.reconcile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.testkit.BatchRun;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/**
 * Whatever came too late: reconciled, a trail of files says what a batch run over all events says.
 */
class ReconciliationPropertiesTest {
  private Path directory = Path.of("");

  @BeforeTry
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory("trail");
  }

  @AfterTry
  void deleteDirectory() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.of(Policies.reconcilable());
  }

  @Property(tries = 15)
  void theLatestViewIsThatOfABatchRun(@ForAll("scenarios") Scenario scenario, @ForAll Random random)
      throws Exception {
    Assume.that(scenario.steps().stream().anyMatch(step -> step instanceof Step.Arrive));
    var expected = BatchRun.of(scenario.policy(), scenario.steps());
    Trail trail = new Trail(scenario.policy(), directory).play(scenario.steps());
    trail.duplicate(random);

    trail.reconcilePart(random);
    assertThat(trail.reconcile().view(), is(expected));
    if (scenario.policy().accumulation() == Accumulation.RETRACTING) {
      assertThat(trail.unretracted(), is((long) expected.size()));
    }

    var files = trail.files();
    assertThat("reconciled again", trail.reconcile().files(), is(files));

    trail.crash(random);
    assertThat("after a crash", trail.reconcile().view(), is(expected));
  }
}
