/** The jobs in Kafka Streams' DSL. */
@NullMarked
package dev.tidemark.benchmarks.kafkastreams;

import org.jspecify.annotations.NullMarked;
