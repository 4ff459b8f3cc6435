/** Windows, the lateness gate, aggregation and results. */
@NullMarked
package dev.tidemark.transforms;

import org.jspecify.annotations.NullMarked;
