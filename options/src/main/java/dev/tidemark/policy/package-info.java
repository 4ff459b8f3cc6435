/** The policy: the reviewable contract of one metric, its YAML form and its validation. */
@NullMarked
package dev.tidemark.policy;

import org.jspecify.annotations.NullMarked;
