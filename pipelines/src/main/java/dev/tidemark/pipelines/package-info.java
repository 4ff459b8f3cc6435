/** Sources, sinks and the tidemark command. */
@NullMarked
package dev.tidemark.pipelines;

import org.jspecify.annotations.NullMarked;
