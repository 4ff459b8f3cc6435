/** The jobs in Flink's DataStream API. */
@NullMarked
package dev.tidemark.benchmarks.flink;

import org.jspecify.annotations.NullMarked;
