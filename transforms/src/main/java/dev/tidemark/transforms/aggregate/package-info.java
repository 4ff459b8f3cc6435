/** The aggregates: what they keep of the events of a key and window, and how that is merged. */
@NullMarked
package dev.tidemark.transforms.aggregate;

import org.jspecify.annotations.NullMarked;
