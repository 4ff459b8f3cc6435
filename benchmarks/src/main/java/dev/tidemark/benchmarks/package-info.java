/** Programs that measure what the parts of a pipeline cost. */
@NullMarked
package dev.tidemark.benchmarks;

import org.jspecify.annotations.NullMarked;
