@NullMarked
package dev.tidemark.transforms.windowing;

import org.jspecify.annotations.NullMarked;
