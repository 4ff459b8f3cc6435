package dev.tidemark.benchmarks.compare;

import org.jspecify.annotations.Nullable;

/**
 * What one run took, and what it told; null what it did not tell.
 *
 * @param wallSeconds of the whole process, from its start to its end, or until it was done
 * @param cpuSeconds of all its threads, in user and kernel mode
 * @param jobSeconds by the engine's own word: without the start of the JVM
 * @param peakMebibytes of resident memory
 * @param shuffledMebibytes by the engine's own word: what its tasks have sent to others
 * @param stateMebibytes by the engine's own word, the last time that it told
 * @param results that came to the output topic, those that were replaced too
 */
record Measurement(
    double wallSeconds,
    double cpuSeconds,
    @Nullable Double jobSeconds,
    double peakMebibytes,
    @Nullable Double shuffledMebibytes,
    @Nullable Double stateMebibytes,
    @Nullable Double results) {
  static final double BYTES_A_MEBIBYTE = 1024 * 1024;

  Measurement withMebibytes(@Nullable Double shuffled, @Nullable Double state) {
    return new Measurement(
        wallSeconds, cpuSeconds, jobSeconds, peakMebibytes, shuffled, state, results);
  }

  Measurement withResults(double number) {
    return new Measurement(
        wallSeconds,
        cpuSeconds,
        jobSeconds,
        peakMebibytes,
        shuffledMebibytes,
        stateMebibytes,
        number);
  }
}
