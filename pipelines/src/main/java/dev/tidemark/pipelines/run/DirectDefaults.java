package dev.tidemark.pipelines.run;

import java.util.Set;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.sdk.options.PipelineOptions;

/** DirectRunner without the checks that it makes for tests of one's own coders and functions. */
public final class DirectDefaults implements RunnerDefaults {

  @Override
  public String runner() {
    return DirectRunner.class.getSimpleName();
  }

  @Override
  public void apply(PipelineOptions options, Set<String> given) {
    DirectOptions direct = options.as(DirectOptions.class);
    if (!given.contains("enforceImmutability")) {
      direct.setEnforceImmutability(false);
    }
    if (!given.contains("enforceEncodability")) {
      direct.setEnforceEncodability(false);
    }
    if (!given.contains("targetParallelism")) {
      direct.setTargetParallelism(Runtime.getRuntime().availableProcessors());
    }
  }
}
