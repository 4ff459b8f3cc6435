/** The window functions and triggers that policies name and Beam does not bring. */
@NullMarked
package dev.tidemark.transforms.windowing;

import org.jspecify.annotations.NullMarked;
