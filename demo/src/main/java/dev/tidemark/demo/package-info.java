/** A live stream to look at, with everything that it needs. */
@NullMarked
package dev.tidemark.demo;

import org.jspecify.annotations.NullMarked;
