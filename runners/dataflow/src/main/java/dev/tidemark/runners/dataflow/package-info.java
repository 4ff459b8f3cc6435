/** What the DataflowRunner needs besides its class path. */
@NullMarked
package dev.tidemark.runners.dataflow;

import org.jspecify.annotations.NullMarked;
