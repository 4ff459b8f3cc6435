/** Kafka in this process, for tests. */
@NullMarked
package dev.tidemark.testkit.kafka;

import org.jspecify.annotations.NullMarked;
