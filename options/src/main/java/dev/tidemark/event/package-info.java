/** What both the parser and the transforms speak of: raw records, events, keys and field values. */
@NullMarked
package dev.tidemark.event;

import org.jspecify.annotations.NullMarked;
