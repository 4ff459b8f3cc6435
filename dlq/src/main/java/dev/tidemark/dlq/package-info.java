/** Dead letters: parsing that cannot fail, and what becomes of the records it cannot use. */
@NullMarked
package dev.tidemark.dlq;

import org.jspecify.annotations.NullMarked;
