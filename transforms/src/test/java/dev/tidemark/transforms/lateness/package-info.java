@NullMarked
package dev.tidemark.transforms.lateness;

import org.jspecify.annotations.NullMarked;
