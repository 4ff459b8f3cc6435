package dev.tidemark.templates;

import dev.tidemark.options.ReconcileOptions;
import dev.tidemark.options.ReplayOptions;
import dev.tidemark.options.RunOptions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * What the metadata of a template says besides what the options say.
 *
 * @param mainClass that its image starts
 * @param options of the command
 * @param required those that the command can do without, and the template cannot
 * @param leftOut those that have no place in it
 */
record Template(
    String name,
    String title,
    String description,
    Class<?> mainClass,
    Class<? extends PipelineOptions> options,
    boolean streaming,
    Set<String> required,
    Set<String> leftOut) {

  /** Of the command that waits for the pipeline's end, which a launcher does not. */
  private static final Set<String> ATTENDED =
      Set.of("detached", "maxDeadLetterRatio", "deadLetterRatioOver");

  private static final Set<String> OF_STREAMS =
      Set.of(
          "topic",
          "topicPattern",
          "consumerConfig",
          "startFrom",
          "stopAfter",
          "exactlyOnceGroup",
          "deadLetterRollEvery");

  static List<Template> all() {
    return List.of(
        new Template(
            "Windowed_Aggregation",
            "Windowed aggregation of a stream",
            "Aggregates the events of a stream by the windows of one or more policies. Events that"
                + " come too late and records that cannot be read are kept.",
            WindowedAggregation.class,
            RunOptions.class,
            true,
            Set.of(),
            union(ATTENDED, Set.of("input"))),
        new Template(
            "Windowed_Aggregation_Batch",
            "Windowed aggregation of files",
            "Aggregates the events of files by the windows of one or more policies. Records that"
                + " cannot be read are kept.",
            WindowedAggregationBatch.class,
            RunOptions.class,
            false,
            Set.of("input", "output"),
            union(ATTENDED, OF_STREAMS)),
        new Template(
            "Reconcile_Too_Late",
            "Reconcile too-late events",
            "Corrects the results of a policy for the events that came too late for them.",
            ReconcileTooLate.class,
            ReconcileOptions.class,
            false,
            Set.of(),
            union(ATTENDED, Set.of("deadLetterRollEvery"))),
        new Template(
            "Replay_Dead_Letters",
            "Replay dead letters",
            "Parses dead letters again by a policy, each exactly once. What passes is for"
                + " Reconcile_Too_Late to count.",
            ReplayDeadLetters.class,
            ReplayOptions.class,
            false,
            Set.of(),
            union(ATTENDED, Set.of("deadLetterRollEvery", "dryRun"))));
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    return Stream.of(one, other).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
  }
}
