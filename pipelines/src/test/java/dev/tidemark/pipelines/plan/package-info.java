@NullMarked
package dev.tidemark.pipelines.plan;

import org.jspecify.annotations.NullMarked;
