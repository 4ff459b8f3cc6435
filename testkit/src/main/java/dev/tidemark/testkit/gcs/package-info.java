/** A Cloud Storage server for tests: Beam's own {@code gs://} filesystem talks to it over HTTP. */
@NullMarked
package dev.tidemark.testkit.gcs;

import org.jspecify.annotations.NullMarked;
