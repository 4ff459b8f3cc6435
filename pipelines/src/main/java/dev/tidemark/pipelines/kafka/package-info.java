/** Kafka topics as a source of records, and as destinations of what comes of them. */
@NullMarked
package dev.tidemark.pipelines.kafka;

import org.jspecify.annotations.NullMarked;
