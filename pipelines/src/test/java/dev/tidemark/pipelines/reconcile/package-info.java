@NullMarked
package dev.tidemark.pipelines.reconcile;

import org.jspecify.annotations.NullMarked;
