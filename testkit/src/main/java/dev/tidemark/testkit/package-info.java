/** Test support: JUnit 5 pipelines and the reference model. */
@NullMarked
package dev.tidemark.testkit;

import org.jspecify.annotations.NullMarked;
