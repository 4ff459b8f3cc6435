/** Kafka topics as a source of records and as destinations. */
@NullMarked
package dev.tidemark.pipelines.kafka;

import org.jspecify.annotations.NullMarked;
