/** The jobs that are compared, a click's parser, and the jobs in plain Java. */
@NullMarked
package dev.tidemark.benchmarks.plain;

import org.jspecify.annotations.NullMarked;
