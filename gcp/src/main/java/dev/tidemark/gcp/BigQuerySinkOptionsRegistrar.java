package dev.tidemark.gcp;

import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;

/** Makes the options of the tables known to every command on the class path. */
public final class BigQuerySinkOptionsRegistrar implements PipelineOptionsRegistrar {

  @Override
  public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
    return List.of(BigQuerySinkOptions.class);
  }
}
