package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineVisitor;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PDone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No lane of a pipeline goes nowhere. */
class DestinationsTest {
  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "RTD, quarantine, ''",
    "RD, quarantine, the too-late events of clicks have no destination",
    "RD, drop-and-count, ''",
    "RT, quarantine, the dead letters of clicks have no destination",
    "TD, quarantine, the results of clicks have no destination"
  })
  void aPipelineThatHasNoPlaceForSomethingCannotBeBuilt(
      String taken, String tooLate, String missing) throws Exception {
    Policy policy = policy(tooLate);
    List<Destination> each = new ArrayList<>(); // each takes one thing; together they count
    taken.chars().forEach(lane -> each.add(new Taking(String.valueOf((char) lane))));
    Destinations destinations = Destinations.of(each);
    if (missing.isEmpty()) {
      AggregateEvents.of(policy, destinations);
      assertThat(destinations.missing(List.of(policy)), is(List.of()));
    } else {
      Exception e =
          assertThrows(
              IllegalArgumentException.class, () -> AggregateEvents.of(policy, destinations));
      assertThat(e.getMessage(), containsString(missing));
      assertThat(destinations.missing(List.of(policy)), contains(missing));
    }
  }

  @Test
  void everyDestinationGetsWhatItTakes() throws Exception {
    Policy policy = policy("quarantine");
    Destinations destinations =
        Destinations.of(List.of(new Taking("RT"), new Taking("R"), new Taking("D")));
    assertThat(destinations.results(policy).size(), is(2));
    assertThat(destinations.tooLate(policy).size(), is(1));
    assertThat(destinations.deadLetters(policy).size(), is(1));
  }

  @ParameterizedTest
  @CsvSource({"UNBOUNDED, true", "BOUNDED, false"})
  void whatComesTooLateHasAStepWhereSomethingCan(IsBounded bounded, boolean has) throws Exception {
    Policy policy = policy("quarantine");
    Pipeline pipeline = Pipeline.create();
    pipeline
        .apply(Create.empty(ListCoder.of(RawRecordCoder.of())))
        .setIsBoundedInternal(bounded)
        .apply("clicks", AggregateEvents.of(policy, new Taking("RTD")));
    Set<String> steps = steps(pipeline);
    assertThat(steps, hasItems("clicks/Write R", "clicks/Write D"));
    assertThat(steps.contains("clicks/Write T"), is(has));
  }

  private static Set<String> steps(Pipeline pipeline) {
    Set<String> steps = new HashSet<>();
    pipeline.traverseTopologically(
        new PipelineVisitor.Defaults() {
          @Override
          public void visitPrimitiveTransform(TransformHierarchy.Node node) {
            steps.add(node.getFullName());
          }
        });
    return steps;
  }

  private Policy policy(String tooLate) throws Exception {
    Path file = directory.resolve("policy.yaml");
    Files.writeString(
        file,
        """
        metric: clicks
        version: "1"
        timestamp: /t
        key: {}
        window: {fixed: {size: 5m}}
        tooLate: %s
        aggregates: {n: count}
        """
            .formatted(tooLate));
    return PolicyLoader.load(file.toString());
  }

  /** Takes some lanes: R for results, T for too-late events, D for dead letters. */
  private record Taking(String lanes) implements Destination {
    @Override
    public List<Outlet<WindowResult>> results(Policy policy) {
      return outlets("R");
    }

    @Override
    public List<Outlet<TooLateEvent>> tooLate(Policy policy) {
      return outlets("T");
    }

    @Override
    public List<Outlet<DeadLetter>> deadLetters(Policy policy) {
      return outlets("D");
    }

    private <T> List<Outlet<T>> outlets(String lane) {
      return lanes.contains(lane)
          ? List.of(new Outlet<>("Write " + lane, "nowhere", new Nowhere<>()))
          : List.of();
    }

    @Override
    public void prepare() {}

    @Override
    public void cleanUp() {}
  }

  private static final class Nowhere<T> extends PTransform<PCollection<T>, PDone> {
    @Override
    public PDone expand(PCollection<T> elements) {
      return PDone.in(elements.getPipeline());
    }
  }
}
