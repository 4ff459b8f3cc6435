/** Sample events, the same for the same seed. */
@NullMarked
package dev.tidemark.pipelines.generate;

import org.jspecify.annotations.NullMarked;
