/** The jobs in Spark's Structured Streaming. */
@NullMarked
package dev.tidemark.benchmarks.spark;

import org.jspecify.annotations.NullMarked;
