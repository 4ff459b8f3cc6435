/** The pipelines' options, as Beam reads them from a command line or a template's parameters. */
@NullMarked
package dev.tidemark.options;

import org.jspecify.annotations.NullMarked;
