/** What the FlinkRunner needs besides its class path. */
@NullMarked
package dev.tidemark.runners.flink;

import org.jspecify.annotations.NullMarked;
