@NullMarked
package dev.tidemark.pipelines.kafka;

import org.jspecify.annotations.NullMarked;
