package dev.tidemark.gcp;

import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.run.Connector;
import dev.tidemark.pipelines.run.Source;
import dev.tidemark.policy.Policy;
import java.util.List;
import java.util.Optional;

/** BigQuery: tables to write results to. */
public final class BigQueryConnector implements Connector {

  @Override
  public Optional<Source> source(RunOptions options, List<Policy> policies) {
    return Optional.empty();
  }

  @Override
  public Optional<BigQueryDestination> destination(RunOptions options, List<Policy> policies)
      throws UsageException {
    return BigQueryDestination.of(options.as(BigQuerySinkOptions.class), policies);
  }
}
