@NullMarked
package dev.tidemark.pipelines;

import org.jspecify.annotations.NullMarked;
