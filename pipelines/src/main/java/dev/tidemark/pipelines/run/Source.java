package dev.tidemark.pipelines.run;

import dev.tidemark.event.RawRecord;
import dev.tidemark.event.WallClock;
import dev.tidemark.options.RunOptions;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.InputFiles;
import dev.tidemark.pipelines.files.ReadLines;
import dev.tidemark.pipelines.kafka.KafkaDestination;
import dev.tidemark.pipelines.kafka.KafkaSource;
import dev.tidemark.policy.Durations;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a run reads from.
 *
 * @param option that chooses it
 * @param name of the pipeline's step
 * @param records in batches of as many as the source has at once
 * @param isGuarded whether its watermark cannot pass the wall clock
 */
public record Source(
    String option,
    String name,
    PTransform<PBegin, PCollection<List<RawRecord>>> records,
    boolean isGuarded) {

  /**
   * Files, topics or what a {@link Connector} reads, as the options say.
   *
   * @throws UsageException naming each option that is wrong
   */
  static Source of(RunOptions options, List<Policy> policies) throws UsageException {
    boolean files = isGiven(options.getInput());
    boolean topics = isGiven(options.getTopic()) || options.getTopicPattern() != null;
    if (files && topics) {
      throw bothGiven("--input", "--topic");
    }
    Optional<Source> connected = connected(options, policies);
    if (connected.isPresent()) {
      if (files || topics) {
        throw bothGiven(files ? "--input" : "--topic", connected.get().option());
      }
      return connected.get();
    }
    if (topics) {
      return new Source("--topic", "Read topics", topics(options, policies), true);
    }
    if (files) {
      return new Source("--input", "Read files", files(options, policies), true);
    }
    throw new UsageException(
        "missing option --input, or --bootstrapServers and --topic, or --subscription or"
            + " --inputTopic; see tidemark run --help");
  }

  private static UsageException bothGiven(String one, String other) {
    return new UsageException(one + " and " + other + " are given; give one of them");
  }

  private static Optional<Source> connected(RunOptions options, List<Policy> policies)
      throws UsageException {
    Optional<Source> found = Optional.empty();
    for (Connector connector : Connector.all()) {
      Optional<Source> source = connector.source(options, policies);
      if (source.isPresent() && found.isPresent()) {
        throw bothGiven(found.get().option(), source.get().option());
      }
      found = source.isPresent() ? source : found;
    }
    return found;
  }

  private static boolean isGiven(@Nullable List<String> list) {
    return list != null && !list.isEmpty();
  }

  private static PTransform<PBegin, PCollection<List<RawRecord>>> files(
      RunOptions options, List<Policy> policies) throws UsageException {
    if (options.getStopAfter() != null) {
      throw new UsageException("--stopAfter: files end by themselves; leave it out");
    }
    if (options.getStartFrom() != null) {
      throw new UsageException("--startFrom: files are read from their beginning; leave it out");
    }
    if (options.getConsumerConfig() != null) {
      throw new UsageException("--consumerConfig: no topic is read; leave it out");
    }
    if (options.getBootstrapServers() != null && KafkaDestination.topics(options).isEmpty()) {
      throw new UsageException("--bootstrapServers: no topic is read or written; leave it out");
    }
    checkMetadata(
        policies, "--input", pointer -> true, "which the lines of files do not have; read a topic");
    return ReadLines.of(InputFiles.match(options.getInput()), WallClock.SYSTEM);
  }

  /**
   * Refuses policies that no record could satisfy.
   *
   * @param absent whether a pointer to metadata leads to nothing
   * @param problem what to say of it, and what else to read
   */
  public static void checkMetadata(
      List<Policy> policies, String option, Predicate<Pointer> absent, String problem)
      throws UsageException {
    List<String> problems = new ArrayList<>();
    for (Policy policy : policies) {
      for (Pointer pointer : policy.pointers()) {
        if (pointer.isMetadata() && absent.test(pointer)) {
          problems.add(
              "%s: %s reads %s, %s, or change the policy"
                  .formatted(option, policy.metric(), pointer, problem));
        }
      }
    }
    UsageException.throwIfAny(problems);
  }

  private static KafkaSource topics(RunOptions options, List<Policy> policies)
      throws UsageException {
    checkMetadata(
        policies,
        "--topic",
        pointer -> pointer.text().equals("#/messageId"),
        "which records of Kafka do not have; read Pub/Sub");
    Duration stopAfter = stopAfter(options.getStopAfter());
    KafkaSource source = KafkaSource.of(options, policies);
    return stopAfter == null ? source : source.withStopAfter(stopAfter);
  }

  private static @Nullable Duration stopAfter(@Nullable String given) throws UsageException {
    if (given == null) {
      return null;
    }
    java.time.Duration duration = Durations.parse(given);
    if (duration == null || duration.isZero()) {
      throw new UsageException("--stopAfter=" + given + ": must be a duration above 0, 1m say");
    }
    return Duration.millis(duration.toMillis());
  }
}
