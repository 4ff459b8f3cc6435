/** The simulate command: what a policy does with one sequence of arrivals. */
@NullMarked
package dev.tidemark.pipelines.simulate;

import org.jspecify.annotations.NullMarked;
