/** The lateness gate: parts events that their windows still take from those that came too late. */
@NullMarked
package dev.tidemark.transforms.lateness;

import org.jspecify.annotations.NullMarked;
