/** Pub/Sub in this process, for tests. */
@NullMarked
package dev.tidemark.testkit.pubsub;

import org.jspecify.annotations.NullMarked;
