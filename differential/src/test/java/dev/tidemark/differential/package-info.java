/** The same events through Tidemark and through the engines that it is compared with. */
@NullMarked
package dev.tidemark.differential;

import org.jspecify.annotations.NullMarked;
