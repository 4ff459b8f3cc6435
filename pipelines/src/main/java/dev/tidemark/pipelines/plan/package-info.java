/** The plan command: what a policy means and costs before it runs. */
@NullMarked
package dev.tidemark.pipelines.plan;

import org.jspecify.annotations.NullMarked;
