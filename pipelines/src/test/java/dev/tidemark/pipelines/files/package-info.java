@NullMarked
package dev.tidemark.pipelines.files;

import org.jspecify.annotations.NullMarked;
