/** Records of Kafka topics: which, from where, and how far event time has come. */
@NullMarked
package dev.tidemark.pipelines.kafka;

import org.jspecify.annotations.NullMarked;
