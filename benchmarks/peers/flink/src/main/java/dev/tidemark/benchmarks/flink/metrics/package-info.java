/** What a Flink in this process tells of a job, besides its time. */
@NullMarked
package dev.tidemark.benchmarks.flink.metrics;

import org.jspecify.annotations.NullMarked;
