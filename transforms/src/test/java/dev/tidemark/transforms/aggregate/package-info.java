@NullMarked
package dev.tidemark.transforms.aggregate;

import org.jspecify.annotations.NullMarked;
