/** The run command: from files or topics to results, with progress and a summary. */
@NullMarked
package dev.tidemark.pipelines.run;

import org.jspecify.annotations.NullMarked;
