/** The commands over the audit trail of results: to correct it, and to read what stands. */
@NullMarked
package dev.tidemark.pipelines.reconcile;

import org.jspecify.annotations.NullMarked;
