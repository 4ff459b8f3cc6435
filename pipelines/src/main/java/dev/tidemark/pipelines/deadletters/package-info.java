/** The commands over dead letters: to look at them, and to replay them. */
@NullMarked
package dev.tidemark.pipelines.deadletters;

import org.jspecify.annotations.NullMarked;
