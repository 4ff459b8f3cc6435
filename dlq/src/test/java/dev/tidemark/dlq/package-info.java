@NullMarked
package dev.tidemark.dlq;

import org.jspecify.annotations.NullMarked;
