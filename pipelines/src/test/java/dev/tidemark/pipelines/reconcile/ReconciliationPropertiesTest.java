package dev.tidemark.pipelines.reconcile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** Whatever came too late: reconciled, a trail says what a batch run over all events says. */
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
    return Scenario.of(Policies.any().map(ReconciliationPropertiesTest::quarantining));
  }

  /** With sketches; without a bound of sessions, which would make them depend on the order. */
  private static Policy quarantining(Policy policy) {
    Map<String, Aggregate> aggregates = new LinkedHashMap<>(policy.aggregates());
    aggregates.put("sketch", new Aggregate.Distinct(new Pointer("/s"), false));
    aggregates.put("median", new Aggregate.Quantile(new Pointer("/v"), 0.5));
    return Policies.of(
        policy.windowing() instanceof Windowing.Sessions sessions
            ? new Windowing.Sessions(sessions.gap(), null)
            : policy.windowing(),
        policy.trigger(),
        policy.allowedLateness(),
        policy.accumulation(),
        TooLate.QUARANTINE,
        aggregates);
  }

  @Property(tries = 25)
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
