@NullMarked
package dev.tidemark.runners.flink;

import org.jspecify.annotations.NullMarked;
