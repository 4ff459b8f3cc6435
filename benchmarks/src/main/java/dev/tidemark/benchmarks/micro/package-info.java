/** JMH benchmarks of what is done for each event; {@code benchmarks/micro} runs them. */
@NullMarked
package dev.tidemark.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
