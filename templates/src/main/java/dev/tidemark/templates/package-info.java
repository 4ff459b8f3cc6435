/**
 * The classes that Dataflow's launcher starts, one a flex template. Each is a command with the
 * template's parameters as its options.
 */
@NullMarked
package dev.tidemark.templates;

import org.jspecify.annotations.NullMarked;
