package dev.tidemark.gcp;

import dev.tidemark.event.WallClock;
import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.run.Connector;
import dev.tidemark.pipelines.run.Source;
import dev.tidemark.policy.Policy;
import java.util.List;
import java.util.Optional;

/** Pub/Sub as source and destination. */
public final class PubsubConnector implements Connector {

  @Override
  public Optional<Source> source(RunOptions options, List<Policy> policies) throws UsageException {
    Optional<PubsubInput> found = PubsubInput.of(options, policies);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    PubsubInput input = found.get();
    PubsubLookup.check(options, input);
    return Optional.of(
        new Source(
            input.option(),
            "Read Pub/Sub",
            new PubsubSource(input, WallClock.SYSTEM),
            input.timestampAttribute() == null)); // which a publisher may stamp from the future
  }

  @Override
  public Optional<PubsubDestination> destination(RunOptions options, List<Policy> policies)
      throws UsageException {
    return PubsubDestination.of(options, policies);
  }
}
