@NullMarked
package dev.tidemark.pipelines.deadletters;

import org.jspecify.annotations.NullMarked;
