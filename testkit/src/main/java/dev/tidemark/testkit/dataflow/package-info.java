/** The jobs of the Dataflow API in this process, for tests. */
@NullMarked
package dev.tidemark.testkit.dataflow;

import org.jspecify.annotations.NullMarked;
