package dev.tidemark.pipelines;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Several destinations at once, each of which gets everything that it takes. */
public final class Destinations implements Destination {
  private final List<Destination> destinations;

  private Destinations(List<Destination> destinations) {
    this.destinations = List.copyOf(destinations);
  }

  /**
   * All of them.
   *
   * @param destinations are prepared in this order: one that deletes something comes last
   */
  public static Destinations of(List<Destination> destinations) {
    return new Destinations(destinations);
  }

  /** What of the policies would go nowhere, a line each; none if everything has a place. */
  public List<String> missing(List<Policy> policies) {
    List<String> missing = new ArrayList<>();
    for (Policy policy : policies) {
      if (results(policy).isEmpty()) {
        missing.add("the results of " + policy.metric() + " have no destination");
      }
      if (policy.tooLate() == TooLate.QUARANTINE && tooLate(policy).isEmpty()) {
        missing.add("the too-late events of " + policy.metric() + " have no destination");
      }
      if (deadLetters(policy).isEmpty()) {
        missing.add("the dead letters of " + policy.metric() + " have no destination");
      }
    }
    return missing;
  }

  @Override
  public List<Outlet<WindowResult>> results(Policy policy) {
    return all(destination -> destination.results(policy));
  }

  @Override
  public List<Outlet<TooLateEvent>> tooLate(Policy policy) {
    return all(destination -> destination.tooLate(policy));
  }

  @Override
  public List<Outlet<DeadLetter>> deadLetters(Policy policy) {
    return all(destination -> destination.deadLetters(policy));
  }

  private <T> List<Outlet<T>> all(Function<Destination, List<Outlet<T>>> outlets) {
    return destinations.stream().flatMap(each -> outlets.apply(each).stream()).toList();
  }

  @Override
  public void prepare() throws UsageException {
    for (Destination destination : destinations) {
      destination.prepare();
    }
  }

  @Override
  public void cleanUp() throws IOException {
    for (Destination destination : destinations) {
      destination.cleanUp();
    }
  }
}
