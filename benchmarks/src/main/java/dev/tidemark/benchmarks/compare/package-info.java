/** Tidemark and its peers side by side: the same jobs over the same files, in the same run. */
@NullMarked
package dev.tidemark.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
