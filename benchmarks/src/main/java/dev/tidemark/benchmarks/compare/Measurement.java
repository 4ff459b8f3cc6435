package dev.tidemark.benchmarks.compare;

import org.jspecify.annotations.Nullable;

/**
 * What one run took.
 *
 * @param wallSeconds of the whole process, from its start to its end, or until it was done
 * @param cpuSeconds of all its threads, in user and kernel mode
 * @param jobSeconds by the engine's own word: without the start of the JVM
 * @param peakMebibytes of resident memory
 */
record Measurement(
    double wallSeconds, double cpuSeconds, @Nullable Double jobSeconds, double peakMebibytes) {}
