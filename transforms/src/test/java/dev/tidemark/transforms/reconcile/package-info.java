@NullMarked
package dev.tidemark.transforms.reconcile;

import org.jspecify.annotations.NullMarked;
