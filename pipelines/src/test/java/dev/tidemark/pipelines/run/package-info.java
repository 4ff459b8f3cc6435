@NullMarked
package dev.tidemark.pipelines.run;

import org.jspecify.annotations.NullMarked;
