/** What the SparkRunner needs besides its class path. */
@NullMarked
package dev.tidemark.runners.spark;

import org.jspecify.annotations.NullMarked;
